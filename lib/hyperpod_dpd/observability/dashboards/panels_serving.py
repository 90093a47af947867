"""Panels of serving: shares, latencies, queues, and what each role makes of its hardware."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability.dashboards.model import Limit, Line, Panel, Unit
from hyperpod_dpd.observability.dashboards.queries import Now, Over, Plus, Quantile, Query, Rate, Times
from hyperpod_dpd.observability.signals import FIRST_TOKEN, INTER_TOKEN

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def share_query(s: Signals, before: bool = False) -> Query:
    """Disaggregated and failed over all routed requests."""
    disaggregated, local = (
        Rate(f"dpd_routing_{path}_total", s.router, before=before) for path in ("disaggregated", "local")
    )
    return Over(
        Plus(disaggregated, Rate("dpd_routing_fallback_total", s.router, before=before)),
        Plus(Plus(disaggregated, Rate("dpd_routing_fallback_total", s.router, before=before)), local),
    )


def share(s: Signals) -> Panel:
    """Whether the threshold splits the traffic at all."""
    return Panel(
        title="Disaggregated share",
        description="Requests at or above the routing threshold. Next to nothing means idle prefillers; close to all "
        "is fine where prompts are long.",
        unit="percentunit",
        lines=(Line(query=share_query(s), legend="share"),),
        limit=Limit(value=limit("low_share"), worse="below"),
        runbook="DpdThresholdMisfit",
    )


def paths(s: Signals) -> Panel:
    """The three ways a request can go."""
    return Panel(
        title="DPD routing counts",
        description="Requests by path. Fallback is an error at a prefiller, not a short prompt.",
        unit="reqps",
        lines=tuple(
            Line(query=Rate(f"dpd_routing_{path}_total", s.router), legend=path)
            for path in ("disaggregated", "local", "fallback")
        ),
        runbook="DpdRouterFallback",
    )


def per_gpu(s: Signals, gpus: int) -> Panel:
    """What the GPUs of both roles together bring."""
    return Panel(
        title="Tokens per second and GPU",
        description=f"Over all {gpus} GPUs of both roles: the figure to compare with a colocated endpoint.",
        unit="short",
        axis="tokens/s",
        lines=(
            Line(query=Times(1 / gpus, Rate("vllm:generation_tokens_total", s.decode)), legend="output"),
            Line(query=Times(1 / gpus, Rate("vllm:prompt_tokens_by_source_total", s.decode)), legend="input"),
        ),
        runbook="DpdThresholdMisfit",
    )


def sources(s: Signals) -> Panel:
    """DPD at work against work done twice."""
    return Panel(
        title="Where the decoder's prompt tokens come from",
        description="external_kv_transfer is DPD at work. local_compute beyond short prompts is work done twice.",
        unit="short",
        axis="tokens/s",
        lines=(
            Line(
                query=Rate("vllm:prompt_tokens_by_source_total", s.decode, ("source",)), legend="{{source}}"
            ),
        ),
        runbook="DpdKvNotLanding",
    )


def inter_token(s: Signals) -> Panel:
    """The tail that disaggregation is bought for."""
    objective = next((o for o in s.objectives if o.histogram == INTER_TOKEN), None)
    return quantiles(
        "Inter-token latency (ITL)",
        INTER_TOKEN,
        s.decode,
        "The gap between two tokens of an answer; its tail is what disaggregation is bought for.",
        "DpdDecoderSaturated",
        limit_seconds=objective.declared_seconds if objective else None,
    )


def first_token(s: Signals) -> Panel:
    """What the user waits for at first."""
    objective = next((o for o in s.objectives if o.histogram == FIRST_TOKEN), None)
    return quantiles(
        "End-to-end TTFT",
        FIRST_TOKEN,
        s.router,
        "From the router's view: queue, prefill, transfer and first decode step.",
        "DpdPrefillShort",
        limit_seconds=objective.declared_seconds if objective else None,
    )


def per_output_token(s: Signals) -> Panel:
    """The mean gap, beside its tail."""
    return quantiles(
        "Decode latency (TPOT)",
        "vllm:request_time_per_output_token_seconds",
        s.decode,
        "Mean gap within a request: hides single long gaps, which ITL shows.",
        "DpdDecoderSaturated",
    )


def quantiles(
    title: str,
    name: str,
    matchers: str,
    description: str,
    runbook: str,
    *,
    limit_seconds: float | None = None,
) -> Panel:
    """p50, p95 and p99 of a latency histogram."""
    return Panel(
        title=title,
        description=description,
        unit="s",
        lines=tuple(
            Line(query=Quantile(share, name, matchers), legend=f"p{share * 100:.0f}")
            for share in (0.5, 0.95, 0.99)
        ),
        limit=None if limit_seconds is None else Limit(value=limit_seconds),
        runbook=runbook,
    )


def waiting(s: Signals, role: str) -> Panel:
    """The queue of one role, and what runs there."""
    prefill = role == "Prefill"
    matchers = s.prefill if prefill else s.decode
    lines = [
        Line(query=Now("vllm:num_requests_waiting", matchers), legend="waiting"),
        Line(query=Now("vllm:num_requests_running", matchers), legend="running"),
    ]
    if prefill:
        lines.append(
            Line(query=Now("dpd_routing_inflight_prefill", s.router), legend="in flight at the router")
        )
    return Panel(
        title=f"{role} queue",
        description=f"Requests that wait for {role.lower()}, and those that run. More than one that waits all the time "
        "is a queue; what runs has no limit here.",
        unit="short",
        axis="requests",
        lines=tuple(lines),
        runbook="DpdPrefillShort" if prefill else "DpdDecoderSaturated",
    )


def queues(s: Signals) -> Panel:
    """Which role to add."""
    return Panel(
        title="Waiting by role",
        description="A standing queue on one side and none on the other says which role to add.",
        unit="short",
        axis="requests",
        lines=(
            Line(query=Now("vllm:num_requests_waiting", s.prefill), legend="prefill"),
            Line(query=Now("vllm:num_requests_waiting", s.decode), legend="decode"),
        ),
        limit=Limit(value=limit("waiting_requests")),
        runbook="DpdEndpointOverloaded",
    )


def running(s: Signals) -> Panel:
    """How full the decoder's batch is."""
    return Panel(
        title="Decoder batch",
        description=f"Running sequences; {s.decode_sequences} per decoder is max-num-seqs.",
        unit="short",
        axis="sequences",
        lines=(Line(query=Now("vllm:num_requests_running", s.decode, ("pod_name",)), legend="{{pod_name}}"),),
        limit=Limit(value=limit("busy_share") * s.decode_sequences),
        runbook="DpdDecoderSaturated",
    )


def use(s: Signals) -> tuple[Panel, ...]:
    """Each role by the resource that limits it."""

    def by_role(title: str, description: str, unit: Unit, queries: dict[str, Query], axis: str = "") -> Panel:
        return Panel(
            title=title,
            description=description,
            unit=unit,
            axis=axis,
            lines=tuple(Line(query=query, legend=role) for role, query in queries.items()),
            runbook="DpdDecoderSaturated",
        )

    pods = {
        role: f'namespace="{s.namespace}",pod=~"{deployment}-.*"'
        for role, deployment in (("prefill", s.prefill_deployment), ("decode", s.decode_deployment))
    }
    return (
        by_role(
            "GPU use",
            "Busy time of the GPUs; says nothing about how well they are used.",
            "percent",
            {role: Now("DCGM_FI_DEV_GPU_UTIL", matchers, how="avg") for role, matchers in pods.items()},
        ),
        by_role(
            "Tensor pipes of prefill, memory of decode",
            "Prefill is bound by arithmetic and decode by memory: each role by its own limit.",
            "percentunit",
            {
                "prefill: tensor active": Now("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", pods["prefill"], how="avg"),
                "decode: memory active": Now("DCGM_FI_PROF_DRAM_ACTIVE", pods["decode"], how="avg"),
            },
        ),
        by_role(
            "CPU cores",
            "vLLM's scheduler runs on the CPU; a decoder short of it makes slow tokens.",
            "short",
            {role: Rate("container_cpu_usage_seconds_total", matchers) for role, matchers in pods.items()},
            axis="cores",
        ),
    )


def by_decoder(s: Signals) -> tuple[Panel, ...]:
    """Only with more than one decoder."""
    return (
        Panel(
            title="Output tokens by decoder",
            description="Decoders should share the load; AWS has validated one.",
            unit="short",
            axis="tokens/s",
            lines=(
                Line(
                    query=Rate("vllm:generation_tokens_total", s.decode, ("pod_name",)), legend="{{pod_name}}"
                ),
            ),
            runbook="DpdDecoderLoadSkew",
        ),
        Panel(
            title="KV cache by decoder",
            description="Share of each decoder's own KV cache in use.",
            unit="percentunit",
            lines=(
                Line(
                    query=Now("vllm:kv_cache_usage_perc", s.decode, ("pod_name",), "max"),
                    legend="{{pod_name}}",
                ),
            ),
            limit=Limit(value=limit("busy_share")),
            runbook="DpdDecoderPreempts",
        ),
    )
