"""What one GPU's memory is spent on in each role, and what is left for the cache: before anything is
deployed."""

from dataclasses import dataclass
from fractions import Fraction

from hyperpod_dpd.sizing.errors import SizingError

GIB = 2**30


def gib_to_bytes(gib: int | float | str) -> int:
    """A GiB figure as people write it (79.6, "79.6") in whole bytes, rounded down without binary error."""
    try:
        value = Fraction(str(gib)) * GIB
    except (ValueError, ZeroDivisionError) as error:
        raise SizingError(f"{gib!r} is not a number of GiB") from error
    if value < 0:
        raise SizingError(f"{gib!r} GiB is negative")
    return int(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceFacts:
    """What this arithmetic needs of an instance type; the catalogue supplies it.

    `gpu_memory_bytes` is what the driver reports for one GPU; `transfer_bytes_per_second` one GPU's share of
    EFA.
    """

    name: str
    gpus: int
    gpu_memory_bytes: int
    transfer_bytes_per_second: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAssumptions:
    """Sizes nobody can read from a config, each in bytes per GPU. `source` says where they come from.

    activation_bytes: peak of a forward pass, inside vLLM's share, not divided by the ranks.
    non_torch_bytes: NCCL and context that vLLM's profiling counts, inside its share.
    slack_bytes: CUDA graphs, NIXL, context outside vLLM's share and outside the PD buffer.
    error_margin_bytes, warning_margin_bytes: least memory to leave free, below which to refuse or to warn.
    """

    activation_bytes: int
    non_torch_bytes: int
    slack_bytes: int
    error_margin_bytes: int
    warning_margin_bytes: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRequest:
    """One role on one instance type, all sizes per rank.

    The buffer lies outside vLLM's share, on prefill and decode alike. `utilization_hundredths` is
    --gpu-memory-utilization times 100; None asks for the largest safe one.
    """

    role: str
    instance: InstanceFacts
    tensor_parallel_size: int
    weight_bytes: int
    kv_bytes_per_token: int
    buffer_bytes: int
    buffer_capacity_tokens: int | None = None
    state_bytes_per_sequence: int = 0
    max_model_len: int | None = None
    max_position_tokens: int | None = None
    utilization_hundredths: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryBudget:
    """The verdict: `severity` is None, "warning" or "error"; `explanation` is the sum, line by line.

    Utilisations are in hundredths, so that 87 means --gpu-memory-utilization 0.87: the largest leaves the
    slack free, the calm one leaves the warning margin.
    """

    role: str
    instance: str
    largest_utilization_hundredths: int
    calm_utilization_hundredths: int
    utilization_hundredths: int
    free_bytes: int
    kv_bytes: int
    kv_tokens: int
    largest_max_model_len: int
    state_bytes_per_sequence: int
    kv_bytes_per_token: int
    severity: str | None
    problems: tuple[str, ...]
    explanation: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """False when the role could not start, or not serve one request of the length asked for."""
        return self.severity != "error"

    def concurrency(self, tokens: int) -> int:
        """Sequences of `tokens` tokens the cache holds at once."""
        if tokens < 1:
            raise SizingError(f"a sequence has at least 1 token, found {tokens}")
        return self.kv_bytes // (tokens * self.kv_bytes_per_token + self.state_bytes_per_sequence)


def memory_budget(request: MemoryRequest, assumptions: MemoryAssumptions) -> MemoryBudget:
    """The memory of one GPU in one role: u*M + buffer + slack <= M, and the cache is u*M less weights and
    work space.

    Without a utilisation given, the largest safe one (rounded down to 0.01) is judged. Source: planning.md
    section 3.
    """
    _check(request)
    memory = request.instance.gpu_memory_bytes
    largest = max(0, (memory - request.buffer_bytes - assumptions.slack_bytes) * 100 // memory)
    calm = max(0, (memory - request.buffer_bytes - assumptions.warning_margin_bytes) * 100 // memory)
    used = largest if request.utilization_hundredths is None else request.utilization_hundredths
    share = memory * used // 100
    free = memory - share - request.buffer_bytes
    fixed = request.weight_bytes + assumptions.activation_bytes + assumptions.non_torch_bytes
    kv_bytes = max(0, share - fixed)
    tokens = max(0, kv_bytes - request.state_bytes_per_sequence) // request.kv_bytes_per_token
    limits = [tokens, request.max_position_tokens, request.buffer_capacity_tokens]
    longest = min(limit for limit in limits if limit is not None)
    problems, severity = _judge(request, assumptions, largest, calm, used, free, share, fixed, tokens)
    return MemoryBudget(
        role=request.role,
        instance=request.instance.name,
        largest_utilization_hundredths=largest,
        calm_utilization_hundredths=calm,
        utilization_hundredths=used,
        free_bytes=free,
        kv_bytes=kv_bytes,
        kv_tokens=tokens,
        largest_max_model_len=longest,
        state_bytes_per_sequence=request.state_bytes_per_sequence,
        kv_bytes_per_token=request.kv_bytes_per_token,
        severity=severity,
        problems=tuple(problems),
        explanation=_explain(request, assumptions, used, share, free, kv_bytes, tokens, longest),
    )


def _check(request: MemoryRequest) -> None:
    numbers = {
        "GPU memory": (request.instance.gpu_memory_bytes, 1),
        "GPUs of the instance": (request.instance.gpus, 1),
        "tensor-parallel size": (request.tensor_parallel_size, 1),
        "weight bytes": (request.weight_bytes, 0),
        "KV bytes per token": (request.kv_bytes_per_token, 1),
        "buffer bytes": (request.buffer_bytes, 0),
        "state bytes per sequence": (request.state_bytes_per_sequence, 0),
    }
    for name, (value, least) in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise SizingError(f"{name} must be a whole number from {least} up, found {value!r}")
    if request.utilization_hundredths is not None and not 1 <= request.utilization_hundredths <= 100:
        raise SizingError(
            "--gpu-memory-utilization must lie between 0.01 and 1, found "
            f"{request.utilization_hundredths / 100}"
        )


def _judge(
    request: MemoryRequest,
    assumptions: MemoryAssumptions,
    largest: int,
    calm: int,
    used: int,
    free: int,
    share: int,
    fixed: int,
    tokens: int,
) -> tuple[list[str], str | None]:
    errors: list[str] = []
    warnings: list[str] = []
    where = f"{request.role} on {request.instance.name}"
    if request.tensor_parallel_size > request.instance.gpus:
        errors.append(
            f"{where}: {request.tensor_parallel_size} ranks need as many GPUs, the instance has "
            f"{request.instance.gpus}: lower the tensor-parallel size"
        )
    if share <= fixed:
        errors.append(
            f"{where}: weights and work space take {_gib(fixed)} of each GPU, vLLM's share at "
            f"{_utilization(used)} is {_gib(share)}: use more ranks, quantised weights or a larger GPU"
        )
    elif request.max_model_len is not None and tokens < request.max_model_len:
        errors.append(
            f"{where}: the cache holds {tokens:,} tokens at {_utilization(used)}, less than one request of "
            f"{request.max_model_len:,}: lower --max-model-len or raise the utilisation (largest safe: "
            f"{_utilization(largest)})"
        )
    if request.utilization_hundredths is not None and free < assumptions.warning_margin_bytes:
        text = (
            f"{where}: vLLM's share {_gib(share)} at {_utilization(used)} and the PD buffer "
            f"{_gib(request.buffer_bytes)} leave {_gib(free)} of {_gib(request.instance.gpu_memory_bytes)}; "
            "lower "
            f"--gpu-memory-utilization to {_utilization(calm)} ({_utilization(largest)} at most) or shrink "
            "PD_BUFFER_SIZE"
        )
        (errors if free < assumptions.error_margin_bytes else warnings).append(text)
    return errors + warnings, "error" if errors else ("warning" if warnings else None)


def _gib(size: int) -> str:
    return f"{size / GIB:.1f} GiB"


def _utilization(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def _explain(
    request: MemoryRequest,
    assumptions: MemoryAssumptions,
    used: int,
    share: int,
    free: int,
    kv_bytes: int,
    tokens: int,
    longest: int,
) -> tuple[str, ...]:
    lines = [
        f"GPU memory: {_gib(request.instance.gpu_memory_bytes)} as the driver reports it",
        f"PD buffer: {_gib(request.buffer_bytes)}, outside vLLM's share, on prefill and decode alike",
        f"vLLM's share at --gpu-memory-utilization {_utilization(used)}: {_gib(share)}",
        (
            f"left free for CUDA graphs, NIXL and context: {_gib(free)} (assumed need "
            f"{_gib(assumptions.slack_bytes)})"
        ),
        (
            f"weights: {_gib(request.weight_bytes)} per rank at tensor-parallel size "
            f"{request.tensor_parallel_size}"
        ),
        f"activations: {_gib(assumptions.activation_bytes)}, not divided by the ranks (assumed)",
        f"other memory of the engine: {_gib(assumptions.non_torch_bytes)} (assumed)",
        f"left for the KV cache: {_gib(kv_bytes)}, {tokens:,} tokens of {request.kv_bytes_per_token:,} bytes",
        f"largest safe --max-model-len: {longest:,}",
        f"assumptions: {assumptions.source}",
    ]
    if request.state_bytes_per_sequence:
        lines.insert(
            8, f"recurrent state: {request.state_bytes_per_sequence:,} bytes per running sequence (estimated)"
        )
    return tuple(lines)
