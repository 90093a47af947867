"""Settings that vLLM's configuration refuses together when it starts, each as a pair of flag and words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hyperpod_dpd.iec.arguments import Arguments

LENGTH, BATCH, SEQUENCES = "--max-model-len", "--max-num-batched-tokens", "--max-num-seqs"
PARTIAL, LONG_PARTIAL = "--max-num-partial-prefills", "--max-long-partial-prefills"
THRESHOLD, CHUNKED = "--long-prefill-token-threshold", "--enable-chunked-prefill"
SPECULATIVE = "--speculative-config"
_WITHOUT_ASYNC = frozenset({"ngram", "suffix", "medusa", "mlp_speculator"})
_WITHOUT_MODEL = frozenset({"ngram", "ngram_gpu", "suffix", "mtp", "extract_hidden_states"})
_TWICE = {
    "--attention-backend": ("--attention-config", "backend"),
    "--cudagraph-capture-sizes": ("--compilation-config", "cudagraph_capture_sizes"),
    "--max-cudagraph-capture-size": ("--compilation-config", "max_cudagraph_capture_size"),
    "--enable-flashinfer-autotune": ("--kernel-config", "enable_flashinfer_autotune"),
}
Refusal = tuple[str, str]


def refusals(arguments: Arguments) -> Iterator[Refusal]:
    """Every refusal that the arguments alone lead to; what is left to defaults of the machine is not judged."""
    yield from _scheduler(arguments)
    yield from _others(arguments)
    speculative = option(arguments, SPECULATIVE)
    if speculative is not None:
        yield from _speculative(arguments, speculative)


def option(arguments: Arguments, flag: str) -> dict[str, Any] | None:
    """A JSON option with its dotted keys put in; None where it is absent or no JSON object."""
    whole: dict[str, Any] = {}
    found = False
    for item in arguments:
        base, dot, key = item.flag.partition(".")
        if base != flag or item.value is None:
            continue
        try:
            value = json.loads(item.value)
        except (ValueError, RecursionError):
            value = item.value if dot else None
        if dot:
            whole[key] = value
        elif isinstance(value, dict):
            whole |= value
        else:
            continue
        found = True
    return whole if found else None


def _scheduler(arguments: Arguments) -> Iterator[Refusal]:
    length, batch = arguments.integer(LENGTH), arguments.integer(BATCH)
    sequences = arguments.integer(SEQUENCES)
    chunked = arguments.enabled(CHUNKED) is not False
    if batch is not None and length is not None and batch < length and not chunked:
        yield BATCH, f"{batch} tokens are fewer than {LENGTH} {length}, and chunked prefill is off"
    if batch is not None and sequences is not None and batch < sequences:
        yield BATCH, f"{batch} tokens are fewer than {SEQUENCES} {sequences}"
    partial, long = arguments.integer(PARTIAL) or 1, arguments.integer(LONG_PARTIAL) or 1
    if partial > 1 and not chunked:
        yield PARTIAL, f"{partial} partial prefills want chunked prefill, and it is off"
    threshold = arguments.integer(THRESHOLD)
    if partial > 1 and threshold is not None and length is not None and threshold > length:
        yield THRESHOLD, f"{threshold} tokens are more than {LENGTH} {length}"
    if long > partial:
        yield LONG_PARTIAL, f"{long} long prefills are more than {PARTIAL} {partial}"


def _others(arguments: Arguments) -> Iterator[Refusal]:
    for flag, (config, key) in _TWICE.items():
        if arguments.last(flag) is not None and (option(arguments, config) or {}).get(key) is not None:
            yield flag, f"it is given by {flag} and by {config}.{key}"
    most, cached = arguments.integer("--max-loras") or 1, arguments.integer("--max-cpu-loras")
    if arguments.enabled("--enable-lora") and cached is not None and 0 < cached < most:
        yield "--max-cpu-loras", f"{cached} adapters in CPU memory are fewer than --max-loras {most}"
    group = arguments.integer("--offload-group-size") or 0
    inside = arguments.integer("--offload-num-in-group") or 1
    if group > 0 and inside > group:
        yield "--offload-num-in-group", f"{inside} is more than --offload-group-size {group}"
    if group > 0 and arguments.integer("--offload-prefetch-step") == 0:
        yield "--offload-prefetch-step", "it must be 1 or more where layers are offloaded"
    ray = arguments.get("--distributed-executor-backend") == "ray"
    if arguments.enabled("--ray-workers-use-nsight") and not ray:
        yield "--ray-workers-use-nsight", "it wants --distributed-executor-backend ray"
    if arguments.get("--dcp-comm-backend") == "a2a" and (
        (arguments.integer("--decode-context-parallel-size") or 1) <= 1
    ):
        yield "--dcp-comm-backend", "a2a wants a --decode-context-parallel-size above 1"


def _speculative(arguments: Arguments, config: dict[str, Any]) -> Iterator[Refusal]:
    tokens, method, model = config.get("num_speculative_tokens"), config.get("method"), config.get("model")
    if isinstance(tokens, int) and tokens < 1:
        yield SPECULATIVE, f"num_speculative_tokens is {tokens}, and must be 1 or more"
    if tokens is not None and model is None and method not in _WITHOUT_MODEL:
        yield SPECULATIVE, "it names neither a model nor a method that works without one"
    if tokens is None and method in ("ngram", "ngram_gpu"):
        yield SPECULATIVE, "num_speculative_tokens is not given"
    if config.get("tensor_parallel_size") is not None:
        yield SPECULATIVE, "tensor_parallel_size is no key of it; the key is draft_tensor_parallel_size"
    size, draft = arguments.integer("--tensor-parallel-size") or 1, config.get("draft_tensor_parallel_size")
    if isinstance(draft, int) and draft not in (1, size):
        yield SPECULATIVE, f"draft_tensor_parallel_size is {draft}, and must be 1 or {size}"
    least, most = config.get("prompt_lookup_min"), config.get("prompt_lookup_max")
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield SPECULATIVE, f"prompt_lookup_min {least} is above prompt_lookup_max {most}"
    if arguments.enabled("--async-scheduling"):
        if method in _WITHOUT_ASYNC:
            yield "--async-scheduling", f"asynchronous scheduling does not go with the method {method}"
        if config.get("disable_padded_drafter_batch") is True:
            yield "--async-scheduling", "it does not go with disable_padded_drafter_batch"
    batch, sequences = arguments.integer(BATCH), arguments.integer(SEQUENCES)
    if arguments.enabled("--enable-lora") and batch and sequences and isinstance(tokens, int):
        wanted = sequences * (tokens + 1)
        if batch < wanted:
            yield BATCH, f"adapters with speculative decoding want {wanted} tokens, and it is {batch}"
