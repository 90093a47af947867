"""What `dpd init` puts down for a model: where it is described, and the settings that its size leads to."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hyperpod_dpd.catalog import engine_defaults, models
from hyperpod_dpd.cli.kv import instance_facts
from hyperpod_dpd.sizing.errors import SizingError
from hyperpod_dpd.sizing.gpu_memory import InstanceFacts
from hyperpod_dpd.sizing.model_input import ModelInput, read_model
from hyperpod_dpd.sizing.report import ROLES, kv_report

# A role that holds fewer of the longest requests than this serves them one after the other.
_REQUESTS = 8
_LENGTH_STEP = 1024
# Longer prompts also want a longer idle timeout of the load balancer and a larger buffer: a decision of the user's.
_LONGEST_UNASKED = 32_768
_NAME_MAX = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """Lines of the document for one model, and what a summary says of them."""

    endpoint: str
    model: str
    weights: str
    engine: str
    summary: tuple[str, ...]


def choose(given: str, folder: Path, instance_type: str) -> ChosenModel:
    """The model of a catalogue key, a Hugging Face id, a config.json or a folder. Raises SizingError."""
    read = read_model(given)
    entry = models.get(read.name) if not Path(given).exists() else None
    name = _object_name(entry.key if entry else read.name)
    if entry is not None:
        lines = f"catalogue: {entry.key}  # or config: path/to/config.json with name: ..."
    else:
        place = Path(given) / "config.json" if Path(given).is_dir() else Path(given)
        lines = f'name: {name}\n      config: "{Path(os.path.relpath(place, folder)).as_posix()}"'
    facts, doubt = instance_facts(instance_type)
    engine, summary = _engine(read, facts)
    return ChosenModel(
        endpoint=name,
        model=lines,
        weights=f"models/{entry.key if entry else name}",
        engine=engine,
        summary=(*summary, *((doubt,) if doubt else ())),
    )


def _engine(read: ModelInput, facts: InstanceFacts) -> tuple[str, tuple[str, ...]]:
    buffer = int(engine_defaults.fact_of("documented", "pd_buffer_bytes").value)
    report, size = _report(read, facts, buffer)
    memory: dict[str, Any] | None = report["memory"]
    if memory is None:
        reason = "the size of the weights is not known, so vLLM's share and the length keep their defaults"
        return "# engine: {max_model_len_tokens: 16384, gpu_memory_utilization: 0.75}", (reason,)
    roles = [memory[role] for role in ROLES]
    most = engine_defaults.memory().highest_utilization
    share = min(most, *(role["calm_gpu_memory_utilization"] for role in roles))
    report = kv_report(
        read.config,
        quant_config=read.quant_config,
        name=read.name,
        tensor_parallel_size=size,
        chunk_tokens=engine_defaults.lmcache().chunk_tokens,
        buffer_bytes=buffer,
        instance=facts,
        utilization_hundredths=int(share * 100 + 1e-9),
    )
    roles = [report["memory"][role] for role in ROLES]
    tokens = min(role["kv_tokens"] for role in roles)
    limits = [tokens // _REQUESTS, report["max_position_tokens"], report["buffer"]["capacity_tokens"] // 2]
    fits = min(limit for limit in limits if limit is not None) // _LENGTH_STEP * _LENGTH_STEP
    length = min(fits, _LONGEST_UNASKED)
    if length < _LENGTH_STEP:
        raise SizingError(
            f"{read.name} leaves room for {max(0, tokens):,} tokens beside its weights on {size} GPUs of {facts.name}: "
            "take an instance type with more GPU memory, or a quantised copy of the model"
        )
    settings = [f"max_model_len_tokens: {length}", f"gpu_memory_utilization: {share:.2f}"]
    if size != facts.gpus:
        settings.insert(0, f"tensor_parallel_size: {size}")
    free = min(role["free_bytes"] for role in roles) / 2**30
    sized = (
        f"sized for {facts.name}: {size} GPUs, vLLM's share {share:.2f}, requests of up to {length:,} tokens"
    )
    unused = (
        f"left unused: {free:.1f} GiB of each GPU, {facts.gpus - size} GPUs of a node, "
        f"{tokens:,} tokens of cache hold {tokens // length} of the longest requests"
    )
    summary = (f"{sized} ({fits:,} fit)", unused)
    return f"engine: {{{', '.join(settings)}}}", summary


def _report(read: ModelInput, facts: InstanceFacts, buffer: int) -> tuple[dict[str, Any], int]:
    """The figures at the most GPUs of a node over which the heads can be divided."""
    refusal: SizingError | None = None
    for size in range(facts.gpus, 0, -1):
        if facts.gpus % size:
            continue
        try:
            report = kv_report(
                read.config,
                quant_config=read.quant_config,
                name=read.name,
                tensor_parallel_size=size,
                chunk_tokens=engine_defaults.lmcache().chunk_tokens,
                buffer_bytes=buffer,
                instance=facts,
            )
        except SizingError as error:
            refusal = refusal or error
            continue
        return report, size
    raise refusal or SizingError(f"{facts.name} has no GPUs")


def _object_name(text: str) -> str:
    """A name that Kubernetes takes, from a model's."""
    name = re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")
    return name[:_NAME_MAX].rstrip("-") or "model"
