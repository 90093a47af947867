"""One endpoint of an environment: its model, its two roles, its routing, and the traffic it is meant for."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.config.base import (
    Acknowledgements,
    GroupName,
    LabelKey,
    LabelValue,
    ObjectName,
    ResourceName,
    SecretKey,
    Section,
    Text,
    VariableName,
)
from hyperpod_dpd.config.endpoint_fields import manifest_key, with_copied_keys
from hyperpod_dpd.config.images import WorkerImage
from hyperpod_dpd.config.model_source import Model
from hyperpod_dpd.config.staging import Benchmark

_DOCUMENTED = engine_defaults.documented()
"""What AWS's example of a disaggregated endpoint sets is what an endpoint gets that says nothing."""


def _default(path: str) -> int:
    """What the API server fills in at ``path`` of the manifest."""
    found = engine_defaults.manifest_default(path)
    assert found is not None and isinstance(found.value, int), path
    return found.value


Argument = Text | int | float | bool | None


class RoleAutoScaling(Section):
    """KEDA scaling of a role on a query to the Prometheus workspace."""

    min_replicas: int = 1
    max_replicas: int
    query: str | None = Field(None, pattern=r"\S", description="Default: requests waiting at this role.")
    target_value: float = Field(1.0, gt=0)


class Role(Section):
    """One role, bound to an instance group; what is unset follows from the group's instance type."""

    instance_group: GroupName
    replicas: int = 1
    gpus: int | None = Field(None, ge=1, description="GPUs of one pod. Default: all of the node's.")
    cpu: str | None = Field(None, description="CPU of one pod, as a Kubernetes quantity.")
    memory: str | None = Field(None, description="Memory of one pod, as a Kubernetes quantity.")
    arguments: dict[str, Argument] = Field(
        default_factory=dict, description="vLLM flags of this role only, without the leading dashes."
    )
    node_selector: dict[LabelKey, LabelValue] = Field(default_factory=dict)
    autoscaling: RoleAutoScaling | None = None


class Engine(Section):
    """vLLM settings that both roles share."""

    tensor_parallel_size: int | None = Field(None, ge=1, description="Default: the GPUs of one pod.")
    max_model_len_tokens: int | None = Field(
        _DOCUMENTED.max_model_len_tokens, ge=1, description="Longest prompt plus answer."
    )
    gpu_memory_utilization: float | None = Field(None, gt=0, le=1)
    kv_cache_dtype: str | None = Field(None, description="vLLM's --kv-cache-dtype, such as fp8.")
    arguments: dict[str, Argument] = Field(default_factory=dict)


@with_copied_keys("routing")
class Routing(Section):
    """How the router picks a path and a prefiller."""

    strategy: str = manifest_key("routing.strategy", _DOCUMENTED.routing_strategy)
    threshold_tokens: int = manifest_key("routing.threshold_tokens", _DOCUMENTED.routing_threshold_tokens)
    session_key: str | None = Field(None, description="Header or field that names a session.")


@with_copied_keys("cache.l2")
class TieredCache(Section):
    """A second cache level outside the pod."""

    backend: str = manifest_key("cache.l2.backend", "tieredstorage")
    url: str | None = manifest_key("cache.l2.url", None)


@with_copied_keys("cache")
class Cache(Section):
    """KV caches and the buffer that receives transfers."""

    l1: bool = manifest_key("cache.l1", True)
    l2: TieredCache | None = None
    pd_buffer_bytes: int | None = Field(None, description="Per rank. Default: 8 GiB in whole pages.")


@with_copied_keys("metrics")
class Metrics(Section):
    """Scraping of the endpoint's pods."""

    enabled: bool = manifest_key("metrics.enabled", True)
    scrape_interval_seconds: int = manifest_key(
        "metrics.scrape_interval_seconds", _default("spec.metrics.metricsScrapeIntervalSeconds"), ge=1
    )


@with_copied_keys("placement")
class Placement(Section):
    """Where the two roles stand relative to each other."""

    same_zone: bool = manifest_key("placement.same_zone", True)


@with_copied_keys("load_balancer")
class LoadBalancer(Section):
    """The load balancer in front of the router."""

    health_check_path: str = manifest_key("load_balancer.health_check_path", _DOCUMENTED.health_check_path)
    routing_algorithm: Literal["least_outstanding_requests", "round_robin"] | None = manifest_key(
        "load_balancer.routing_algorithm", None
    )


@with_copied_keys("tls")
class Tls(Section):
    """The certificate of the endpoint's load balancer. Default: the operator's own, in its bucket."""

    certificate_output_uri: str | None = manifest_key(
        "tls.certificate_output_uri", None, pattern=r"^s3://[^/]+(/.*)?$"
    )
    certificate_arn: str | None = Field(None, description="Issued, with its chain, in the cluster's Region.")
    domain_name: str | None = Field(None, description="Of the certificate, in lower case.")
    hosted_zone_id: str | None = manifest_key("tls.hosted_zone_id", None, pattern=r"^Z[A-Z0-9]+$")


class SecretVariable(Section):
    """An environment variable whose value stays in a Kubernetes Secret."""

    secret: ObjectName
    key: SecretKey


class Percentiles(Section):
    """Token counts of a distribution."""

    p50: int = Field(ge=1)
    p90: int | None = Field(None, ge=1)
    p95: int | None = Field(None, ge=1)
    p99: int | None = Field(None, ge=1)


class Traffic(Section):
    """What the endpoint will be sent; rules that need it say 'not checked' without it."""

    input_tokens: Percentiles | None = None
    output_tokens: Percentiles | None = None
    trace: str | None = Field(None, description="CSV of arrivals and lengths, relative to this file.")
    requests_per_second: float | None = Field(None, gt=0)
    concurrency: int | None = Field(None, ge=1)
    language: str | None = Field(None, description="Main language of prompts, such as en, ja, code.")
    shared_prefixes: bool | None = None
    turns: Literal["single", "multi-short", "multi-full-context"] | None = None
    around_the_clock: bool = Field(
        False, description="Requests arrive at every hour, so a quarter of an hour without one is an outage."
    )


class Objectives(Section):
    """What the endpoint is bought for."""

    inter_token_latency_p99_ms: float | None = Field(None, gt=0)
    time_to_first_token_p95_ms: float | None = Field(None, gt=0)
    failed_requests_percent: float | None = Field(
        1.0, gt=0, le=20, description="Of the requests that may fail: their error budget. Null for none."
    )
    throughput_per_gpu: bool = False
    batch: bool = False


@with_copied_keys()
class Endpoint(Section):
    """One InferenceEndpointConfig in the making."""

    namespace: ResourceName = "inference"
    endpoint_name: Text | None = Field(
        None, description="SageMaker endpoint. Default: same as here; '' for none."
    )
    topology: Literal["disaggregated", "colocated"] = "disaggregated"
    model: Model
    prefill: Role
    decode: Role
    engine: Engine = Engine()
    routing: Routing = Routing()
    cache: Cache = Cache()
    metrics: Metrics = Metrics()
    placement: Placement = Placement()
    load_balancer: LoadBalancer = LoadBalancer()
    tls: Tls = Tls()
    image: WorkerImage | None = None
    invocation_path: str = manifest_key("invocation_path", _DOCUMENTED.invocation_endpoint)
    port: int = Field(_DOCUMENTED.container_port, ge=1, le=65535)
    environment_variables: dict[VariableName, Text | SecretVariable | None] = Field(
        default_factory=dict, description="Null leaves out one that would be derived."
    )
    request_limits: dict[str, int] | None = manifest_key("request_limits", None)
    max_deploy_seconds: int = manifest_key(
        "max_deploy_seconds", _default("spec.maxDeployTimeInSeconds"), ge=1
    )
    model_cache: dict[str, Any] | None = manifest_key("model_cache", None)
    benchmark: Benchmark | None = None
    traffic: Traffic | None = None
    objectives: Objectives | None = None
    acknowledge: Acknowledgements = Field(default_factory=dict)
