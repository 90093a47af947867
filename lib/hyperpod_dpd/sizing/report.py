"""One model's figures as the JSON that `dpd kv` prints; its keys are a contract, see kv_report."""

from collections.abc import Mapping
from typing import Any

from hyperpod_dpd.sizing.findings import LOWER
from hyperpod_dpd.sizing.geometry import Geometry, read_geometry
from hyperpod_dpd.sizing.gpu_memory import (
    InstanceFacts,
    MemoryAssumptions,
    MemoryBudget,
    MemoryRequest,
    memory_budget,
)
from hyperpod_dpd.sizing.kv_cache import KvPerToken, bytes_per_token_per_rank, pages_for_tokens
from hyperpod_dpd.sizing.memory_assumptions import default_assumptions
from hyperpod_dpd.sizing.pd_buffer import PdBuffer, smallest_buffer_bytes, wire_seconds

ROLES = ("prefill", "decode")


def kv_report(
    config: Mapping[str, object],
    *,
    quant_config: Mapping[str, object] | None = None,
    name: str = "",
    tensor_parallel_size: int,
    chunk_tokens: int,
    kv_cache_dtype: str | None = None,
    buffer_bytes: int | None = None,
    prompt_tokens: int | None = None,
    max_model_len: int | None = None,
    instance: InstanceFacts | None = None,
    utilization_hundredths: int | None = None,
    weight_bytes: int | None = None,
    assumptions: MemoryAssumptions | None = None,
) -> dict[str, Any]:
    """Figures for one model, tensor-parallel size and buffer, as plain JSON values (sizes are integers of
    bytes).

    Always there: model_type, attention, exact, bound, bytes_per_token_per_rank, bytes_per_token_least and
    _most (null where open), kv_cache_dtype {name, bits, source}, tensor_parallel_size, layers_with_cache,
    page_tokens, page_bytes, max_position_tokens, parameters, weight_bytes (over all ranks, null when not
    derivable), notes, warnings, and buffer, memory, prompt: objects, or null when their input was not given.
    `weight_bytes` overrides the estimate. Raises a SizingError (UnknownGeometry among them) whose message
    says what to give.
    """
    geometry = read_geometry(config, quant_config=quant_config, name=name)
    kv = bytes_per_token_per_rank(
        geometry, tensor_parallel_size=tensor_parallel_size, kv_cache_dtype=kv_cache_dtype
    )
    page_bytes = kv.page_bytes(chunk_tokens=chunk_tokens)
    warnings: list[str] = []
    buffer = None
    if buffer_bytes is not None:
        buffer = PdBuffer(bytes=buffer_bytes, page_bytes=page_bytes, chunk_tokens=chunk_tokens)
    longest = max_model_len if max_model_len is not None else geometry.max_position_tokens
    weights = weight_bytes if weight_bytes is not None else _weights(geometry)
    report: dict[str, Any] = {
        "model_type": geometry.model_type,
        "attention": geometry.attention,
        "exact": kv.exact,
        "bound": kv.bound,
        "bytes_per_token_per_rank": kv.bytes,
        "bytes_per_token_least": kv.least,
        "bytes_per_token_most": kv.most,
        "kv_cache_dtype": {"name": kv.dtype.name, "bits": kv.dtype.bits, "source": kv.dtype.source},
        "tensor_parallel_size": tensor_parallel_size,
        "layers_with_cache": sum(group.count for group in geometry.groups),
        "page_tokens": chunk_tokens,
        "page_bytes": page_bytes,
        "max_position_tokens": geometry.max_position_tokens,
        "parameters": geometry.parameters.total if geometry.parameters is not None else None,
        "weight_bytes": weights,
        "buffer": None,
        "prompt": None,
        "memory": None,
    }
    if buffer is not None:
        report["buffer"] = _buffer(buffer, prompt_tokens, longest, warnings)
    if prompt_tokens is not None:
        report["prompt"] = _prompt(prompt_tokens, page_bytes, chunk_tokens, instance)
    if instance is not None:
        report["memory"] = _memory(
            geometry,
            kv,
            instance,
            assumptions if assumptions is not None else default_assumptions(geometry),
            weights=weights,
            buffer=buffer,
            max_model_len=max_model_len,
            prompt_tokens=prompt_tokens,
            utilization_hundredths=utilization_hundredths,
            warnings=warnings,
        )
    if not kv.exact:
        warnings.append(
            f"the bytes per token are not exact ({kv.bound}): see notes before sizing a buffer by them"
        )
    if kv.dtype.alternative_bits is not None:
        other = kv.bytes * kv.dtype.alternative_bits // kv.dtype.bits
        warnings.append(
            f"the cache dtype rests on {kv.dtype.source}: {kv.bytes} bytes per token at {kv.dtype.bits} "
            f"bits, {other} "
            f"at {kv.dtype.alternative_bits}; set --kv-cache-dtype on both roles to settle it"
        )
    report["notes"] = list(kv.notes)
    report["warnings"] = warnings
    return report


def _weights(geometry: Geometry) -> int | None:
    return geometry.parameters.stored_bytes if geometry.parameters is not None else None


def _buffer(
    buffer: PdBuffer, prompt_tokens: int | None, longest: int | None, warnings: list[str]
) -> dict[str, Any]:
    if buffer.pages == 0:
        warnings.append(
            f"the buffer of {buffer.bytes:,} bytes is smaller than one page of {buffer.page_bytes:,}: "
            "LMCache cannot "
            "start its PD mode"
        )
    if longest is not None and not buffer.can_hold(longest):
        needed = smallest_buffer_bytes(
            page_bytes=buffer.page_bytes, chunk_tokens=buffer.chunk_tokens, max_prompt_tokens=longest
        )
        warnings.append(
            f"a prompt of {longest:,} tokens needs "
            f"{pages_for_tokens(longest, chunk_tokens=buffer.chunk_tokens)} pages, "
            f"the buffer has {buffer.pages}: it would wait for ever and block all behind it; lower "
            "--max-model-len to "
            f"{buffer.capacity_tokens:,} or set PD_BUFFER_SIZE to at least {needed}"
        )
    return {
        "bytes": buffer.bytes,
        "pages": buffer.pages,
        "aligned_bytes": buffer.aligned_bytes,
        "lost_bytes": buffer.lost_bytes,
        "capacity_tokens": buffer.capacity_tokens,
        "in_flight_transfers": None if prompt_tokens is None else buffer.in_flight_transfers(prompt_tokens),
        "holds_longest_prompt": None if longest is None else buffer.can_hold(longest),
        "longest_prompt_tokens": longest,
    }


def _prompt(
    tokens: int, page_bytes: int, chunk_tokens: int, instance: InstanceFacts | None
) -> dict[str, Any]:
    pages = pages_for_tokens(tokens, chunk_tokens=chunk_tokens)
    rate = instance.transfer_bytes_per_second if instance is not None else None
    wire = None
    if rate is not None:
        wire = float(
            wire_seconds(
                prompt_tokens=tokens, page_bytes=page_bytes, chunk_tokens=chunk_tokens, bytes_per_second=rate
            )
        )
    return {"tokens": tokens, "pages": pages, "bytes": pages * page_bytes, "least_wire_seconds": wire}


def _memory(
    geometry: Geometry,
    kv: KvPerToken,
    instance: InstanceFacts,
    assumptions: MemoryAssumptions,
    *,
    weights: int | None,
    buffer: PdBuffer | None,
    max_model_len: int | None,
    prompt_tokens: int | None,
    utilization_hundredths: int | None,
    warnings: list[str],
) -> dict[str, Any] | None:
    if weights is None:
        warnings.append(
            "the size of the weights cannot be derived from this config: give the weight bytes (total_size "
            "in the "
            "model's safetensors index) for a memory budget"
        )
        return None
    if not geometry.weights.certain:
        warnings.append(
            f"the weight format {geometry.weights.name!r} ({geometry.weights.source}) is not known: "
            f"{geometry.weights.kept_bits} bits per weight assumed; give the weight bytes to settle it"
        )
    if not geometry.is_checked:
        warnings.append(
            f"the weights follow from the fields of model type {geometry.model_type!r}, whose layout has not been "
            "checked: compare them with total_size in the safetensors index, and give the weight bytes where they differ"
        )
    if geometry.is_multimodal:
        warnings.append("the weights of the vision or audio part are not counted in the memory budget")
    state = 0
    if geometry.recurrent is not None:
        state = geometry.recurrent.bytes_per_sequence_per_rank(tensor_parallel_size=kv.tensor_parallel_size)
    elif geometry.is_hybrid:
        warnings.append("the recurrent state per sequence is not known, so the concurrency is an upper bound")
    roles: dict[str, Any] = {}
    for role in ROLES:
        budget = memory_budget(
            MemoryRequest(
                role=role,
                instance=instance,
                tensor_parallel_size=kv.tensor_parallel_size,
                weight_bytes=-(-weights // kv.tensor_parallel_size),
                kv_bytes_per_token=kv.most if kv.bound == LOWER and kv.most is not None else kv.bytes,
                buffer_bytes=buffer.aligned_bytes if buffer is not None else 0,
                buffer_capacity_tokens=buffer.capacity_tokens if buffer is not None else None,
                state_bytes_per_sequence=state,
                max_model_len=max_model_len,
                max_position_tokens=geometry.max_position_tokens,
                utilization_hundredths=utilization_hundredths,
            ),
            assumptions,
        )
        roles[role] = _role(budget, prompt_tokens)
    return {"instance": instance.name, "assumptions": assumptions.source, **roles}


def _role(budget: MemoryBudget, prompt_tokens: int | None) -> dict[str, Any]:
    longest = budget.largest_max_model_len
    return {
        "severity": budget.severity,
        "problems": list(budget.problems),
        "largest_gpu_memory_utilization": budget.largest_utilization_hundredths / 100,
        "calm_gpu_memory_utilization": budget.calm_utilization_hundredths / 100,
        "gpu_memory_utilization": budget.utilization_hundredths / 100,
        "free_bytes": budget.free_bytes,
        "kv_bytes": budget.kv_bytes,
        "kv_tokens": budget.kv_tokens,
        "largest_max_model_len": longest,
        "concurrency_at_longest": budget.concurrency(longest) if longest else 0,
        "concurrency_at_prompt": budget.concurrency(prompt_tokens) if prompt_tokens else None,
        "explanation": list(budget.explanation),
    }
