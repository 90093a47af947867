"""The four boards of an endpoint: does it pay, the documented metrics, the way of the KV cache, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.observability.dashboards import panels_serving as serving
from hyperpod_dpd.observability.dashboards import panels_transfer as transfer
from hyperpod_dpd.observability.dashboards.model import Board, Line, Panel, Row, Unit
from hyperpod_dpd.observability.dashboards.queries import Quantile, Query, Rate, Times
from hyperpod_dpd.observability.signals import FIRST_TOKEN, INTER_TOKEN, signals

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan
    from hyperpod_dpd.observability.signals import Signals


def endpoint_boards(blueprint: Blueprint, plan: EndpointPlan) -> tuple[Board, ...]:
    """The boards of one endpoint; none for a colocated one."""
    if plan.topology != "disaggregated":
        return ()
    gpus = sum(role.gpus * role.replicas for role in plan.roles)
    return boards(signals(blueprint, plan), gpus=gpus)


def boards(s: Signals, *, gpus: int) -> tuple[Board, ...]:
    """``gpus`` of all pods of the endpoint. A colocated endpoint has none of what these boards show."""
    return (overview(s, gpus), documented(s), kv_path(s), comparison(s, gpus))


def overview(s: Signals, gpus: int) -> Board:
    """Is DPD paying for itself: share, tails, throughput per GPU, and which role is short."""
    rows = [
        Row(
            title="Does it pay",
            panels=(serving.share(s), serving.paths(s), serving.per_gpu(s, gpus), serving.sources(s)),
        ),
        Row(title="Tails", panels=(serving.inter_token(s), serving.first_token(s))),
        Row(title="Queues", panels=(serving.queues(s), serving.running(s))),
        Row(title="GPU and CPU by role", panels=serving.use(s)),
    ]
    if s.decode_replicas > 1:
        rows.append(Row(title="By decoder", panels=serving.by_decoder(s)))
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
                    serving.first_token(s),
                    serving.quantiles(
                        "Prefill TTFT", first, s.prefill, "Prefillers make one token.", "DpdPrefillShort"
                    ),
                    serving.quantiles(
                        "Prefill time",
                        prefill_time,
                        s.prefill,
                        "Computing the prompt, without its queue.",
                        "DpdPrefillShort",
                    ),
                ),
            ),
            Row(title="Queues", panels=(serving.waiting(s, "Prefill"), serving.waiting(s, "Decode"))),
            Row(title="Decode", panels=(serving.inter_token(s), serving.per_output_token(s))),
            Row(title="Transfer and routing", panels=(transfer.put_time(s), serving.paths(s))),
        ),
    )


def kv_path(s: Signals) -> Board:
    """From the prefiller's put over the wire and the buffer into the decoder."""
    wire = [transfer.put_time(s)]
    if s.kv_bytes_per_token_per_rank is not None:
        wire = [
            transfer.wire(s, s.kv_bytes_per_token_per_rank),
            *wire,
            transfer.efa(s, s.kv_bytes_per_token_per_rank),
        ]
    buffer = [transfer.retries(s)] if s.log_exporter else []
    if s.buffer_bytes:
        buffer = [transfer.buffer(s, s.buffer_bytes), *buffer]
    return Board(
        key="kv-path",
        title=f"KV path: {s.endpoint}",
        description="Where KV cache gets lost or slow between prefill and decode.",
        endpoint=s.endpoint,
        rows=(
            Row(title="Landing", panels=(transfer.landed(s), serving.sources(s), transfer.retrieved(s))),
            Row(title="Wire", panels=tuple(wire)),
            Row(title="Buffer", panels=tuple(buffer)),
        ),
    )


def comparison(s: Signals, gpus: int) -> Board:
    """The same figures now and a while ago, for a change that was made in between."""
    pairs: tuple[tuple[str, Unit, str, tuple[Query, ...]], ...] = (
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
            tuple(serving.share_query(s, before) for before in (False, True)),
        ),
    )
    panels = tuple(
        Panel(
            title=title,
            description=f"{title} now, and as it was $before ago.",
            unit=unit,
            axis="tokens/s" if unit == "short" else "",
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
