"""The four boards of an endpoint: does it pay, the documented metrics, the way of the KV cache, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lib.catalog import engine_defaults
from lib.catalog.metrics import limit
from lib.observability.dashboards.model import Board, Limit, Line, Panel, Row
from lib.observability.dashboards.queries import Now, Over, Plus, Quantile, Query, Rate, Times
from lib.observability.signals import FIRST_TOKEN, INTER_TOKEN

if TYPE_CHECKING:
    from lib.observability.signals import Signals

_HITS = "vllm:external_prefix_cache_hits_total"


def boards(s: Signals, *, gpus: int) -> tuple[Board, ...]:
    """``gpus`` of all pods of the endpoint. A colocated endpoint has none of what these boards show."""
    return (overview(s, gpus), documented(s), kv_path(s), comparison(s, gpus))


def overview(s: Signals, gpus: int) -> Board:
    """Is DPD paying for itself: share, tails, throughput per GPU, and which role is short."""
    rows = [
        Row(title="Does it pay", panels=(_share(s), _paths(s), _per_gpu(s, gpus), _sources(s))),
        Row(title="Tails", panels=(_inter_token(s), _first_token(s))),
        Row(title="Queues", panels=(_queues(s), _running(s))),
        Row(title="GPU and CPU by role", panels=_use(s)),
    ]
    if s.decode_replicas > 1:
        rows.append(Row(title="By decoder", panels=_by_decoder(s)))
    return Board(
        key="overview",
        title=f"DPD overview: {s.endpoint}",
        description="Whether disaggregation pays for itself, and which side is short.",
        endpoint=s.endpoint,
        rows=tuple(rows),
    )


def documented(s: Signals) -> Board:
    """AWS's eight DPD metrics, each for this endpoint, with tails and limits."""
    first = "vllm:time_to_first_token_seconds"
    prefill_time = "vllm:request_prefill_time_seconds"
    return Board(
        key="documented",
        title=f"DPD metrics: {s.endpoint}",
        description="The eight metrics that AWS's guide names, at p50, p95 and p99.",
        endpoint=s.endpoint,
        rows=(
            Row(
                title="First token",
                panels=(
                    _first_token(s),
                    _quantiles(
                        "Prefill TTFT", first, s.prefill, "Prefillers make one token.", "DpdPrefillShort"
                    ),
                    _quantiles(
                        "Prefill time",
                        prefill_time,
                        s.prefill,
                        "Computing the prompt, without its queue.",
                        "DpdPrefillShort",
                    ),
                ),
            ),
            Row(title="Queues", panels=(_waiting(s, "Prefill"), _waiting(s, "Decode"))),
            Row(title="Decode", panels=(_inter_token(s), _per_output_token(s))),
            Row(title="Transfer and routing", panels=(_put_time(s), _paths(s))),
        ),
    )


def kv_path(s: Signals) -> Board:
    """From the prefiller's put over the wire and the buffer into the decoder."""
    wire = [_put_time(s)]
    if s.kv_bytes_per_token_per_rank is not None:
        wire = [_wire(s, s.kv_bytes_per_token_per_rank), *wire, _efa(s, s.kv_bytes_per_token_per_rank)]
    buffer = [_retries(s)] if s.log_exporter else []
    if s.buffer_bytes:
        buffer = [_buffer(s, s.buffer_bytes), *buffer]
    return Board(
        key="kv-path",
        title=f"KV path: {s.endpoint}",
        description="Where KV cache gets lost or slow between prefill and decode.",
        endpoint=s.endpoint,
        rows=(
            Row(title="Landing", panels=(_landed(s), _sources(s), _retrieved(s))),
            Row(title="Wire", panels=tuple(wire)),
            Row(title="Buffer", panels=tuple(buffer)),
        ),
    )


def comparison(s: Signals, gpus: int) -> Board:
    """The same figures now and a while ago, for a change that was made in between."""
    pairs = (
        ("Inter-token latency p99", "s", "DpdDecoderSaturated", _pair(Quantile, 0.99, INTER_TOKEN, s.decode)),
        ("Time to first token p95", "s", "DpdPrefillShort", _pair(Quantile, 0.95, FIRST_TOKEN, s.router)),
        (
            "Output tokens per second and GPU",
            "short",
            "DpdThresholdMisfit",
            tuple(
                Times(1 / gpus, Rate("vllm:generation_tokens_total", s.decode, before=before))
                for before in (False, True)
            ),
        ),
        (
            "Disaggregated share",
            "percentunit",
            "DpdThresholdMisfit",
            tuple(_share_query(s, before) for before in (False, True)),
        ),
    )
    panels = tuple(
        Panel(
            title=title,
            description=f"{title} now, and as it was $before ago.",
            unit=unit,  # type: ignore[arg-type]
            lines=(Line(query=now, legend="now"), Line(query=then, legend="before")),
            runbook=runbook,
        )
        for title, unit, runbook, (now, then) in pairs
    )
    return Board(
        key="comparison",
        title=f"Before and after: {s.endpoint}",
        description="Choose how long ago 'before' is; compare the same hours of the day.",
        endpoint=s.endpoint,
        rows=(Row(title="Now and before", panels=panels),),
        compares=True,
    )


def _pair(kind: type[Quantile], share: float, name: str, matchers: str) -> tuple[Query, ...]:
    return tuple(kind(share, name, matchers, before) for before in (False, True))


def _share_query(s: Signals, before: bool = False) -> Query:
    disaggregated, local = (
        Rate(f"dpd_routing_{path}_total", s.router, before=before) for path in ("disaggregated", "local")
    )
    return Over(
        Plus(disaggregated, Rate("dpd_routing_fallback_total", s.router, before=before)),
        Plus(Plus(disaggregated, Rate("dpd_routing_fallback_total", s.router, before=before)), local),
    )


def _share(s: Signals) -> Panel:
    return Panel(
        title="Disaggregated share",
        description="Requests at or above the routing threshold. Next to nothing means idle prefillers; close to all "
        "is fine where prompts are long.",
        unit="percentunit",
        lines=(Line(query=_share_query(s), legend="share"),),
        limit=Limit(value=limit("low_share"), worse="below"),
        runbook="DpdThresholdMisfit",
    )


def _paths(s: Signals) -> Panel:
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


def _per_gpu(s: Signals, gpus: int) -> Panel:
    return Panel(
        title="Tokens per second and GPU",
        description=f"Over all {gpus} GPUs of both roles: the figure to compare with a colocated endpoint.",
        unit="short",
        lines=(
            Line(query=Times(1 / gpus, Rate("vllm:generation_tokens_total", s.decode)), legend="output"),
            Line(query=Times(1 / gpus, Rate("vllm:prompt_tokens_by_source_total", s.decode)), legend="input"),
        ),
        runbook="DpdThresholdMisfit",
    )


def _sources(s: Signals) -> Panel:
    return Panel(
        title="Where the decoder's prompt tokens come from",
        description="external_kv_transfer is DPD at work. local_compute beyond short prompts is work done twice.",
        unit="short",
        lines=(
            Line(
                query=Rate("vllm:prompt_tokens_by_source_total", s.decode, ("source",)), legend="{{source}}"
            ),
        ),
        runbook="DpdKvNotLanding",
    )


def _inter_token(s: Signals) -> Panel:
    objective = next((o for o in s.objectives if o.histogram == INTER_TOKEN), None)
    return _quantiles(
        "Inter-token latency (ITL)",
        INTER_TOKEN,
        s.decode,
        "The gap between two tokens of an answer; its tail is what disaggregation is bought for.",
        "DpdDecoderSaturated",
        limit_seconds=objective.declared_seconds if objective else None,
    )


def _first_token(s: Signals) -> Panel:
    objective = next((o for o in s.objectives if o.histogram == FIRST_TOKEN), None)
    return _quantiles(
        "End-to-end TTFT",
        FIRST_TOKEN,
        s.router,
        "From the router's view: queue, prefill, transfer and first decode step.",
        "DpdPrefillShort",
        limit_seconds=objective.declared_seconds if objective else None,
    )


def _per_output_token(s: Signals) -> Panel:
    return _quantiles(
        "Decode latency (TPOT)",
        "vllm:request_time_per_output_token_seconds",
        s.decode,
        "Mean gap within a request: hides single long gaps, which ITL shows.",
        "DpdDecoderSaturated",
    )


def _quantiles(
    title: str,
    name: str,
    matchers: str,
    description: str,
    runbook: str,
    *,
    limit_seconds: float | None = None,
) -> Panel:
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


def _waiting(s: Signals, role: str) -> Panel:
    matchers = s.prefill if role == "Prefill" else s.decode
    return Panel(
        title=f"{role} queue",
        description=f"Requests that wait for {role.lower()}, and those that run.",
        unit="short",
        lines=(
            Line(query=Now("vllm:num_requests_waiting", matchers), legend="waiting"),
            Line(query=Now("vllm:num_requests_running", matchers), legend="running"),
        ),
        limit=Limit(value=limit("waiting_requests")) if role == "Prefill" else None,
        runbook="DpdPrefillShort" if role == "Prefill" else "DpdDecoderSaturated",
    )


def _queues(s: Signals) -> Panel:
    return Panel(
        title="Waiting by role",
        description="A standing queue on one side and none on the other says which role to add.",
        unit="short",
        lines=(
            Line(query=Now("vllm:num_requests_waiting", s.prefill), legend="prefill"),
            Line(query=Now("vllm:num_requests_waiting", s.decode), legend="decode"),
            Line(query=Now("dpd_routing_inflight_prefill", s.router), legend="in flight at the router"),
        ),
        limit=Limit(value=limit("waiting_requests")),
        runbook="DpdEndpointOverloaded",
    )


def _running(s: Signals) -> Panel:
    return Panel(
        title="Decoder batch",
        description=f"Running sequences; {s.decode_sequences} per decoder is max-num-seqs.",
        unit="short",
        lines=(Line(query=Now("vllm:num_requests_running", s.decode, ("pod_name",)), legend="{{pod_name}}"),),
        limit=Limit(value=limit("busy_share") * s.decode_sequences),
        runbook="DpdDecoderSaturated",
    )


def _use(s: Signals) -> tuple[Panel, ...]:
    def by_role(title: str, description: str, unit: str, queries: dict[str, Query]) -> Panel:
        return Panel(
            title=title,
            description=description,
            unit=unit,  # type: ignore[arg-type]
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
        ),
    )


def _by_decoder(s: Signals) -> tuple[Panel, ...]:
    return (
        Panel(
            title="Output tokens by decoder",
            description="Decoders should share the load; AWS has validated one.",
            unit="short",
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


def _landed(s: Signals) -> Panel:
    return Panel(
        title="Tokens landed per disaggregated request",
        description=f"Below half of the threshold ({s.threshold_tokens} tokens) the decoder computes prompts again.",
        unit="short",
        lines=(
            Line(
                query=Over(Rate(_HITS, s.decode), Rate("dpd_routing_disaggregated_total", s.router)),
                legend="landed tokens",
            ),
        ),
        limit=Limit(value=limit("landed_share_of_threshold") * s.threshold_tokens, worse="below"),
        runbook="DpdKvNotLanding",
    )


def _retrieved(s: Signals) -> Panel:
    hits, asked = (Rate(f"lmcache:num_{kind}_tokens_total", s.decode) for kind in ("hit", "requested"))
    return Panel(
        title="Retrieved of what was found",
        description="Less than all means that KV cache arrived and could not be read.",
        unit="percentunit",
        lines=(Line(query=Over(hits, asked), legend="retrieved"),),
        limit=Limit(value=limit("retrieved_share"), worse="below"),
        runbook="DpdKvRetrieveIncomplete",
    )


def _wire(s: Signals, per_token: int) -> Panel:
    stored = Rate("lmcache:num_stored_tokens_total", s.prefill)
    put = Rate("lmcache:store_put_time_sum", s.prefill)
    return Panel(
        title="Wire rate per rank",
        description="Bytes put by prefillers over the time of their puts. The decoder's logged throughput is another "
        "figure: a copy inside its GPU.",
        unit="Bps",
        lines=(Line(query=Times(per_token, Over(stored, put)), legend="put rate"),),
        limit=Limit(value=engine_defaults.transfer().wire_floor_bytes_per_second, worse="below"),
        runbook="DpdKvWireSlow",
    )


def _put_time(s: Signals) -> Panel:
    lines = [
        Line(query=Quantile(share, "lmcache:store_put_time", s.prefill), legend=f"put p{share * 100:.0f}")
        for share in (0.5, 0.95, 0.99)
    ]
    lines.append(
        Line(
            query=Quantile(0.99, "lmcache:time_to_retrieve", s.decode), legend="local copy on the decoder p99"
        )
    )
    return Panel(
        title="KV transfer time",
        description="The put holds the wait for a page of the decoder's buffer and the write over the wire.",
        unit="s",
        lines=tuple(lines),
        runbook="DpdKvWireSlow",
    )


def _efa(s: Signals, per_token: int) -> Panel:
    received = Rate("node_amazonefa_rdma_write_recv_bytes")
    return Panel(
        title="EFA bytes against KV bytes",
        description="What EFA counted on all nodes, and what this endpoint's KV cache must have needed.",
        unit="Bps",
        lines=(
            Line(query=received, legend="received by EFA"),
            Line(
                query=Times(per_token * s.tensor_parallel_size, Rate(_HITS, s.decode)),
                legend="KV cache landed",
            ),
        ),
        runbook="DpdEfaSilent",
    )


def _buffer(s: Signals, size: int) -> Panel:
    used = Now("lmcache:local_cache_usage", s.decode, ("pod_name",), "max")
    return Panel(
        title="PD buffer in use",
        description=f"Share of {size} bytes per rank. It should empty whenever nothing runs.",
        unit="percentunit",
        lines=(Line(query=Times(1 / size, used), legend="{{pod_name}}"),),
        limit=Limit(value=limit("buffer_near_full")),
        runbook="DpdBufferNearFull",
    )


def _retries(s: Signals) -> Panel:
    return Panel(
        title="Failed allocations",
        description="Log lines per second of a decoder that finds no free page.",
        unit="short",
        lines=(
            Line(query=Rate("dpd_log_alloc_retries_total", s.decode, ("pod_name",)), legend="{{pod_name}}"),
        ),
        limit=Limit(value=limit("allocation_blocked") / s.allocation_retry_seconds),
        runbook="DpdBufferExhausted",
    )
