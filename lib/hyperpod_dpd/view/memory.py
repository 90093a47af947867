"""What one GPU's memory is spent on in a role: vLLM's share, the PD buffer beside it, and what stays free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.sizing.gpu_memory import (
    InstanceFacts,
    MemoryAssumptions,
    MemoryRequest,
    gib_to_bytes,
    memory_budget,
)
from hyperpod_dpd.sizing.memory_assumptions import default_assumptions
from hyperpod_dpd.view.buffer import buffer_of
from hyperpod_dpd.view.context import MissingFact

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.instance_types import InstanceType
    from hyperpod_dpd.sizing.geometry import Geometry
    from hyperpod_dpd.view.endpoint import EndpointView
    from hyperpod_dpd.view.role import RoleView

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
    gpu = bytes_of_gib(instance.gpu_memory_gib)
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
            slack_bytes=bytes_of_gib(memory.error_margin_gib),
            error_margin_bytes=bytes_of_gib(memory.error_margin_gib),
            warning_margin_bytes=bytes_of_gib(memory.warning_margin_gib),
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
    """None where tensor parallelism does not divide the heads.

    Raises MissingFact where the model or its weights are unknown.
    """
    model = endpoint.model
    per_token = model.kv(role)
    weights = model.weight_bytes(role)
    if weights is None:
        raise MissingFact("size of the weights")
    if per_token is None:
        return None
    stages = max(1, role.arguments.integer("--pipeline-parallel-size") or 1)
    return ModelMemory(
        weight_bytes=-(-weights // (max(1, role.tensor_parallel_size) * stages)),
        work_bytes=_work_bytes(model.geometry),
        kv_bytes_per_token=max(1, per_token.bytes // stages),
        kv_exact=per_token.exact and stages == 1,
    )


_WORK_BYTES: dict[tuple[bool, str | None], int] = {}


def _work_bytes(geometry: Geometry) -> int:
    """Activations and the engine's other memory; kept by what the assumptions tell models apart by."""
    key = (geometry.is_moe, geometry.model_type)
    if key not in _WORK_BYTES:
        assumed = default_assumptions(geometry)
        _WORK_BYTES[key] = assumed.activation_bytes + assumed.non_torch_bytes
    return _WORK_BYTES[key]


@lru_cache(maxsize=64)
def bytes_of_gib(gib: float) -> int:
    """GiB of the catalogue in bytes, remembered: the exact conversion is slow."""
    return gib_to_bytes(gib)


def roles_by_setting(endpoint: EndpointView, flag: str) -> Iterator[tuple[RoleView, str, RoleMemory]]:
    """Each role with its name and memory; both as one, "prefill and decode", where nothing tells them apart.

    ``flag`` is the one a message will point at.
    """
    found: list[tuple[RoleView, RoleMemory]] = []
    for role in endpoint.roles:
        memory = role_memory(endpoint, role)
        if memory is not None:
            found.append((role, memory))
    if len(found) == 2 and found[0][1] == found[1][1] and _alike(found[0][0], found[1][0], flag):
        yield found[0][0], " and ".join(role.role for role, _ in found), found[0][1]
        return
    for role, memory in found:
        yield role, role.role, memory


_SIZED_BY = ("--tensor-parallel-size", "--pipeline-parallel-size", "--kv-cache-dtype", "--max-model-len")


def _alike(one: RoleView, other: RoleView, flag: str) -> bool:
    if one.arguments.where(flag) != other.arguments.where(flag):
        return False
    return all(one.arguments.get(name) == other.arguments.get(name) for name in _SIZED_BY)


def in_gib(size: int) -> str:
    """A size for a message."""
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 or not size else f"{size / 2**20:.0f} MiB"


def as_utilization(hundredths: int) -> str:
    """87 as 0.87."""
    return f"{hundredths / 100:.2f}"
