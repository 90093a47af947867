"""The names, selectors and limits of one endpoint's queries, each derived from the blueprint or the catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import engine_defaults, metrics
from hyperpod_dpd.observability.promql import select

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan, RolePlan

_MAX_SEQUENCES = "--max-num-seqs"
PROMPT_TOKENS = "vllm:request_prompt_tokens"
COMPUTED_TOKENS = "vllm:request_prefill_kv_computed_tokens"
INTER_TOKEN = "vllm:inter_token_latency_seconds"
FIRST_TOKEN = "dpd_e2e_ttft_seconds"
ANSWERED = "Answered"
HTTP_REQUESTS = "http_requests_total"
COMPLETIONS = 'method="POST"'
LANDED_TOKENS = "vllm:prompt_tokens_by_source_total"
LANDED_SOURCE = 'source="external_kv_transfer"'
"""Tokens whose KV cache came from elsewhere and was used; external prefix-cache hits count failed loads too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """What ``percentile`` of events must meet: a latency, measured at the histogram's ``bound_seconds``, or an answer.

    ``bound_seconds`` is the first bucket bound at or above ``declared_seconds``. Without a histogram it is that
    requests do not fail, and ``selector`` picks the proxies that count them. ``requests`` counts what a client sent:
    one slow answer is hundreds of late tokens.
    """

    name: str
    histogram: str
    selector: str
    requests: str
    percentile: float
    declared_seconds: float = 0.0
    bound_seconds: float = 0.0

    @property
    def budget(self) -> float:
        """Share of events that may miss it."""
        return round(1 - self.percentile, 9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What the queries of one endpoint are made from.

    ``own`` selects the endpoint's recorded series; ``prefill``, ``decode``, ``router`` and ``pods`` are label
    matchers without braces, ``router`` empty where the environment has one endpoint. Bounds are values of ``le``
    or None where the histogram has none on that side of the threshold.
    """

    environment: str
    endpoint: str
    namespace: str
    disaggregated: bool
    prefill: str
    decode: str
    pods: str
    router: str
    prefill_deployment: str
    decode_deployment: str
    router_deployment: str
    threshold_tokens: int
    kv_bytes_per_token_per_rank: int | None
    kv_exact: bool
    page_bytes: int | None
    tensor_parallel_size: int
    buffer_bytes: int | None
    longest_tokens: int | None
    prefill_replicas: int
    decode_replicas: int
    decode_sequences: int
    efa: bool
    network_metrics: bool
    log_exporter: bool
    deploy_seconds: int
    wire_floor_bytes_per_second: int
    allocation_retry_seconds: float
    around_the_clock: bool
    canary: bool
    objectives: tuple[Objective, ...]

    @property
    def own(self) -> str:
        return f'endpoint="{self.endpoint}",namespace="{self.namespace}"'

    @property
    def labels(self) -> dict[str, str]:
        """On every recorded series and alert of the endpoint."""
        return {"environment": self.environment, "endpoint": self.endpoint, "namespace": self.namespace}

    def bound_above(self, tokens: float, series: str = COMPUTED_TOKENS) -> str | None:
        """``le`` of the first bucket bound at or above ``tokens``."""
        return next((f"{bound}" for bound in self._bounds(series) if bound >= tokens), None)

    def bound_below(self, tokens: float, series: str = COMPUTED_TOKENS) -> str | None:
        """``le`` of the last bucket bound below ``tokens``."""
        return next((f"{bound}" for bound in reversed(self._bounds(series)) if bound < tokens), None)

    def _bounds(self, series: str) -> tuple[float, ...]:
        longest = self.longest_tokens or engine_defaults.documented().max_model_len_tokens
        return metrics.bounds(series, longest_tokens=longest)


def signals(blueprint: Blueprint, plan: EndpointPlan) -> Signals:
    """The signals of one endpoint of ``blueprint``."""
    disaggregated = plan.topology == "disaggregated"
    prefill_name = names.prefill_deployment(plan.name) if disaggregated else plan.name
    decode_name = names.decode_deployment(plan.name) if disaggregated else plan.name
    router = names.router_deployment(plan.name, plan.namespace)
    # The label that tells routers apart is not confirmed: it is used only where there is something to tell apart.
    alone = len(blueprint.endpoints) == 1
    decode, prefill = plan.role("decode") or plan.roles[0], plan.role("prefill") or plan.roles[0]
    watch = blueprint.observability
    manifest = plan.manifest
    router_matcher = "" if alone else f'resource_name=~"({plan.name}|{router})"'
    return Signals(
        environment=blueprint.name,
        endpoint=plan.name,
        namespace=plan.namespace,
        disaggregated=disaggregated,
        prefill=_matchers(plan.namespace, prefill_name),
        decode=_matchers(plan.namespace, decode_name),
        pods=f'namespace="{plan.namespace}",resource_name=~"({prefill_name}|{decode_name})"',
        router=router_matcher,
        prefill_deployment=prefill_name,
        decode_deployment=decode_name,
        router_deployment=router,
        threshold_tokens=plan.routing_threshold_tokens,
        kv_bytes_per_token_per_rank=plan.model.kv_bytes_per_token_per_rank,
        kv_exact=plan.model.exact,
        page_bytes=plan.model.page_bytes,
        tensor_parallel_size=plan.tensor_parallel_size,
        buffer_bytes=plan.pd_buffer_bytes,
        longest_tokens=plan.max_model_len_tokens,
        prefill_replicas=_replicas(plan, prefill),
        decode_replicas=_replicas(plan, decode),
        decode_sequences=_sequences(decode),
        efa=decode.efa_interfaces > 0 and prefill.efa_interfaces > 0,
        network_metrics=watch is None or watch.network_metrics,
        log_exporter=watch is None or watch.log_exporter,
        deploy_seconds=(manifest and manifest.max_deploy_seconds) or _deploy_seconds(),
        wire_floor_bytes_per_second=engine_defaults.transfer().wire_floor_bytes_per_second,
        allocation_retry_seconds=engine_defaults.lmcache().allocation_retry_seconds,
        around_the_clock=plan.objectives.around_the_clock,
        canary=watch is not None and watch.canary,
        objectives=_objectives(
            plan, _matchers(plan.namespace, decode_name), router_matcher, _first_token_bounds(blueprint)
        ),
    )


def _matchers(namespace: str, resource: str) -> str:
    return f'namespace="{namespace}",resource_name="{resource}"'


def _replicas(plan: EndpointPlan, role: RolePlan) -> int:
    """Most pods that the role may have."""
    spec = plan.manifest
    given = spec and {"prefill": spec.prefill, "decode": spec.decode}.get(role.role)
    scaling = given.autoscaling if given else None
    return max(role.replicas, scaling.max_replicas if scaling else 0)


def _sequences(role: RolePlan) -> int:
    """Requests that one pod of the role runs at once."""
    for flag, value in zip(role.arguments, role.arguments[1:], strict=False):
        if flag == _MAX_SEQUENCES and value.isdecimal():
            return int(value)
        if flag.startswith(f"{_MAX_SEQUENCES}=") and flag.partition("=")[2].isdecimal():
            return int(flag.partition("=")[2])
    return engine_defaults.vllm().max_num_seqs


def _deploy_seconds() -> int:
    default = engine_defaults.manifest_default("spec.maxDeployTimeInSeconds")
    return int(default.value) if default else engine_defaults.documented().slow_load_seconds


def _first_token_bounds(blueprint: Blueprint) -> tuple[float, ...]:
    """Of the router's histogram: as somebody read them, or as the catalogue assumes."""
    watch = blueprint.observability
    return (watch and watch.first_token_bounds_seconds) or metrics.bounds(FIRST_TOKEN)


def _objectives(
    plan: EndpointPlan, decode: str, router: str, first_token_bounds: tuple[float, ...]
) -> tuple[Objective, ...]:
    declared = plan.objectives
    wanted = (
        ("InterToken", INTER_TOKEN, decode, 0.99, declared.inter_token_latency_p99_seconds),
        ("FirstToken", FIRST_TOKEN, router, 0.95, declared.time_to_first_token_p95_seconds),
    )
    found = []
    for name, histogram, selector, percentile, seconds in wanted:
        if histogram == FIRST_TOKEN and plan.topology != "disaggregated":
            continue
        bounds = first_token_bounds if histogram == FIRST_TOKEN else metrics.bounds(histogram)
        bound = next((b for b in bounds if seconds is not None and b >= seconds), None)
        if seconds is not None and bound is not None:
            found.append(
                Objective(
                    name=name,
                    histogram=histogram,
                    selector=selector,
                    requests=select(f"{FIRST_TOKEN}_count", router)
                    if histogram == FIRST_TOKEN
                    else select("vllm:request_success_total", decode),
                    percentile=percentile,
                    declared_seconds=seconds,
                    bound_seconds=bound,
                )
            )
    if declared.failed_requests_share is not None:
        found.append(
            Objective(
                name=ANSWERED,
                histogram="",
                selector=_proxies(plan),
                requests=select(HTTP_REQUESTS, decode, COMPLETIONS),
                percentile=round(1 - declared.failed_requests_share, 9),
            )
        )
    return tuple(found)


def _proxies(plan: EndpointPlan) -> str:
    """The proxies whose errors a client sees; from a prefiller's error the router falls back."""
    if plan.topology != "disaggregated":
        return _matchers(plan.namespace, plan.name)
    router = names.router_deployment(plan.name, plan.namespace)
    return (
        f'namespace=~"({plan.namespace}|{names.OPERATOR_NAMESPACE})"'
        f',resource_name=~"({names.decode_deployment(plan.name)}|{router})"'
    )
