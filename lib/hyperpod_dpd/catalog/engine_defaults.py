"""Defaults and limits of vLLM, LMCache, the router and the manifest, so that no rule carries a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from hyperpod_dpd.catalog import manifest_fields
from hyperpod_dpd.catalog.data_files import Fact, document, fact

_NAME = "engine_defaults"
_Group = TypeVar("_Group")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lmcache:
    """LMCache 0.4.3 as it behaves when nobody configures it."""

    chunk_tokens: int
    nixl_backend: str
    required_nixl_backend: str
    allocation_retry_seconds: float
    metrics_directory: str
    metrics_push_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vllm:
    """vLLM 0.19.0 as it behaves when no argument is given."""

    gpu_memory_utilization: float
    enable_prefix_caching: bool
    max_num_batched_tokens: int
    max_num_seqs: int
    port: int
    health_path: str
    metrics_path: str
    inter_token_latency_bounds_seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Documented:
    """What AWS's DPD example and tuning table set or advise."""

    gpu_memory_utilization: float
    max_model_len_tokens: int
    prefill_max_num_seqs: int
    decode_max_num_seqs: int
    pd_buffer_bytes: int
    larger_pd_buffers_bytes: tuple[int, ...]
    routing_threshold_tokens: int
    routing_strategy: str
    python_hash_seed: str
    save_decode_cache: str
    container_port: int
    health_check_path: str
    invocation_endpoint: str
    model_mount_path: str
    worker_cpu: int
    worker_memory_gib: int
    slow_load_seconds: int
    sample_prefill_tokens: int
    sample_prefill_seconds: float
    shortest_deploy_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Router:
    """The router and the proxy sidecar: how it decides, where it listens."""

    characters_per_token: int
    threshold_is_inclusive: bool
    worker_port: int
    sidecar_metrics_port: int
    service_port: int
    health_path: str
    kvaware_endpoints: tuple[str, ...]
    strategies: tuple[str, ...]
    longest_queue_wait_seconds: int
    idle_timeout_seconds: int
    longest_idle_timeout_seconds: int
    documented_estimate_characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Rates of the KV transfer below which something is wrong; EFA's line rate is in instance_types."""

    wire_floor_bytes_per_second: int
    fallback_bytes_per_second: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """GPU memory that is neither weights nor KV cache, per GPU; and what a pod and a node need of host memory."""

    error_margin_gib: float
    warning_margin_gib: float
    highest_utilization: float
    non_torch_gib: float
    activation_llama_gib: float
    activation_qwen3_gib: float
    activation_moe_gib: float
    host_base_gib: float
    node_share_kept_free: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Suitability:
    """Below these, disaggregation does not pay."""

    parameters_billion: float
    input_tokens: int
    requests_per_second: float
    output_tokens: int
    low_routing_threshold_tokens: int
    low_disaggregated_share: float
    useful_disaggregated_share: float
    prefiller_utilization: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Validated:
    """The range that AWS validated; beyond it nothing is promised."""

    concurrent_requests: int
    instance_type: str
    model: str
    decode_replicas: int
    fewest_nodes: int
    prefill_replicas_per_decoder: tuple[int, ...]


@cache
def lmcache() -> Lmcache:
    """LMCache's defaults."""
    return _group(Lmcache, "lmcache")


@cache
def vllm() -> Vllm:
    """vLLM's defaults."""
    return _group(Vllm, "vllm")


@cache
def documented() -> Documented:
    """Values of AWS's DPD example and tuning table."""
    return _group(Documented, "documented")


@cache
def router() -> Router:
    """The router's defaults and ports."""
    return _group(Router, "router")


@cache
def transfer() -> Transfer:
    """Floors of the KV transfer."""
    return _group(Transfer, "transfer")


@cache
def memory() -> Memory:
    """Margins of GPU memory, in GiB per GPU."""
    return _group(Memory, "memory")


@cache
def suitability() -> Suitability:
    """The documented conditions under which DPD pays, and our guidance."""
    return _group(Suitability, "suitability")


@cache
def validated() -> Validated:
    """The range that AWS validated."""
    return _group(Validated, "validated")


def fact_of(group: str, name: str) -> Fact:
    """One value with source and unit, such as fact_of("router", "characters_per_token"). Raises KeyError."""
    return fact(_NAME, document(_NAME)["groups"][group][name])


def groups() -> Mapping[str, Mapping[str, Fact]]:
    """Every value of every group with its source."""
    return {
        group: {name: fact_of(group, name) for name in names}
        for group, names in document(_NAME)["groups"].items()
    }


def manifest_default(path: str) -> Fact | None:
    """What the API server fills in at a path ("spec.metrics.modelMetrics.port"); None without a default."""
    return manifest_fields.default(path)


def _group(cls: type[_Group], group: str) -> _Group:
    return cls(**{name: fact_of(group, name).value for name in document(_NAME)["groups"][group]})
