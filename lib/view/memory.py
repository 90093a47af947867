"""What one GPU's memory is spent on in a role: vLLM's share, the PD buffer beside it, and what stays free."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lib.catalog import engine_defaults
from lib.sizing.gpu_memory import (
    InstanceFacts,
    MemoryAssumptions,
    MemoryRequest,
    gib_to_bytes,
    memory_budget,
)
from lib.sizing.memory_assumptions import default_assumptions
from lib.view.buffer import buffer_of

if TYPE_CHECKING:
    from lib.catalog.instance_types import InstanceType
    from lib.view.endpoint import EndpointView, RoleView

UTILIZATION = "--gpu-memory-utilization"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleMemory:
    """Bytes of one GPU. ``utilization`` is vLLM's default where ``given`` is False.

    ``largest_hundredths`` leaves the error margin free, ``calm_hundredths`` the warning margin.
    """

    instance: InstanceType
    gpu_bytes: int
    utilization: float
    given: bool
    buffer_bytes: int
    largest_hundredths: int
    calm_hundredths: int

    @property
    def share_bytes(self) -> int:
        """What vLLM may take."""
        return int(self.gpu_bytes * self.utilization)

    @property
    def free_bytes(self) -> int:
        """What is left beside vLLM's share and the buffer; negative where they do not fit."""
        return self.gpu_bytes - self.share_bytes - self.buffer_bytes


def role_memory(endpoint: EndpointView, role: RoleView) -> RoleMemory | None:
    """None where the instance type, its memory, the buffer or the utilisation cannot be told.

    Raises MissingFact where neither the manifest nor a cluster says where the role runs.
    """
    if not endpoint.instance_type_names(role):
        endpoint.cluster  # noqa: B018 - asks for the fact that would tell the instance type
    instance = endpoint.instance_type(role)
    buffer = buffer_of(endpoint)
    if instance is None or instance.gpu_memory_gib is None or buffer is None:
        return None
    written = role.arguments.last(UTILIZATION)
    value = role.arguments.number(UTILIZATION) if written else engine_defaults.vllm().gpu_memory_utilization
    if value is None or not 0 < value <= 1:
        return None
    gpu = gib_to_bytes(instance.gpu_memory_gib)
    model = endpoint.model_or_none
    page = model.page_bytes(role) if model else None
    size = buffer.cut(page).aligned_bytes if page else buffer.bytes
    largest, calm = _safe_hundredths(instance.name, instance.gpus, gpu, size)
    return RoleMemory(
        instance=instance,
        gpu_bytes=gpu,
        utilization=value,
        given=written is not None,
        buffer_bytes=size,
        largest_hundredths=largest,
        calm_hundredths=calm,
    )


@lru_cache(maxsize=512)
def _safe_hundredths(name: str, gpus: int, gpu_bytes: int, buffer_bytes: int) -> tuple[int, int]:
    """The utilisations, times 100, that leave each margin; never above what any engine should be given."""
    memory = engine_defaults.memory()
    budget = memory_budget(
        MemoryRequest(
            role="",
            instance=InstanceFacts(name=name, gpus=max(1, gpus), gpu_memory_bytes=gpu_bytes),
            tensor_parallel_size=1,
            weight_bytes=0,
            kv_bytes_per_token=1,
            buffer_bytes=buffer_bytes,
        ),
        MemoryAssumptions(
            activation_bytes=0,
            non_torch_bytes=0,
            slack_bytes=gib_to_bytes(memory.error_margin_gib),
            error_margin_bytes=gib_to_bytes(memory.error_margin_gib),
            warning_margin_bytes=gib_to_bytes(memory.warning_margin_gib),
            source="margins of the catalogue",
        ),
    )
    most = round(memory.highest_utilization * 100)
    return min(most, budget.largest_utilization_hundredths), min(most, budget.calm_utilization_hundredths)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMemory:
    """What the model takes of vLLM's share on one GPU. ``work_bytes`` (activations, NCCL) are an estimate."""

    weight_bytes: int
    work_bytes: int
    kv_bytes_per_token: int
    kv_exact: bool

    def cache_tokens(self, share_bytes: int, *, with_work: bool) -> int:
        """Tokens the KV cache holds within that share; negative where the weights alone exceed it."""
        work = self.work_bytes if with_work else 0
        return (share_bytes - self.weight_bytes - work) // self.kv_bytes_per_token


def model_memory(endpoint: EndpointView, role: RoleView) -> ModelMemory | None:
    """None where tensor parallelism does not divide the heads. Raises MissingFact without model or weights."""
    model = endpoint.model
    per_token = model.kv(role)
    weights = model.weight_bytes(role)
    if weights is None:
        endpoint._need("model", None)
    if per_token is None or weights is None:
        return None
    assumed = default_assumptions(model.geometry)
    ranks = role.tensor_parallel_size * (role.arguments.integer("--pipeline-parallel-size") or 1)
    return ModelMemory(
        weight_bytes=-(-weights // ranks),
        work_bytes=assumed.activation_bytes + assumed.non_torch_bytes,
        kv_bytes_per_token=per_token.bytes,
        kv_exact=per_token.exact,
    )


def in_gib(size: int) -> str:
    """A size for a message."""
    return f"{size / 2**30:.1f} GiB"


def as_utilization(hundredths: int) -> str:
    """87 as 0.87."""
    return f"{hundredths / 100:.2f}"
