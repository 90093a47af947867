"""Panels of the KV cache on its way: landing, wire, buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability.dashboards.model import Limit, Line, Panel
from hyperpod_dpd.observability.dashboards.queries import Least, Now, Over, Quantile, Rate, Times
from hyperpod_dpd.observability.signals import LANDED_SOURCE, LANDED_TOKENS

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def _arrived(s: Signals) -> Rate:
    """Tokens per second whose KV cache came from a prefiller and was used."""
    return Rate(LANDED_TOKENS, f"{s.decode},{LANDED_SOURCE}")


def landed(s: Signals) -> Panel:
    """The figure of DpdKvNotLanding."""
    return Panel(
        title="Tokens landed per disaggregated request",
        description=f"Below half of the threshold ({s.threshold_tokens} tokens) the decoder computes prompts again.",
        unit="short",
        axis="tokens",
        lines=(
            Line(
                query=Over(_arrived(s), Rate("dpd_routing_disaggregated_total", s.router)),
                legend="landed tokens",
            ),
        ),
        limit=Limit(value=limit("landed_share_of_threshold") * s.threshold_tokens, worse="below"),
        runbook="DpdKvNotLanding",
    )


def retrieved(s: Signals) -> Panel:
    """What LMCache promised and what it could read."""
    hits, asked = (Rate(f"lmcache:num_{kind}_tokens_total", s.decode) for kind in ("hit", "requested"))
    return Panel(
        title="Retrieved of what was found",
        description="Less than all means that KV cache arrived and could not be read.",
        unit="percentunit",
        lines=(Line(query=Over(hits, asked), legend="retrieved"),),
        limit=Limit(value=limit("retrieved_share"), worse="below"),
        runbook="DpdKvRetrieveIncomplete",
    )


def wire(s: Signals, per_token: int) -> Panel:
    """The only honest rate of the wire."""
    stored = Rate("lmcache:num_stored_tokens_total", s.prefill)
    put = Rate("lmcache:store_put_time_sum", s.prefill)
    by_rank = [Rate(each.name, s.prefill, ("pod_name", "worker_id")) for each in (stored, put)]
    return Panel(
        title="Wire rate per rank",
        description="Bytes put by prefillers over the time of their puts. The decoder's logged throughput is another "
        "figure: a copy inside its GPU. Every transfer waits for its slowest rank.",
        unit="Bps",
        lines=(
            Line(query=Times(per_token, Over(stored, put)), legend="all ranks"),
            Line(query=Least(Times(per_token, Over(by_rank[0], by_rank[1]))), legend="slowest rank"),
        ),
        limit=Limit(value=engine_defaults.transfer().wire_floor_bytes_per_second, worse="below"),
        runbook="DpdKvWireSlow",
    )


def put_time(s: Signals) -> Panel:
    """AWS names this metric and ships no panel for it."""
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


def efa(s: Signals, per_token: int) -> Panel:
    """Bytes counted by the hardware against bytes that must have crossed."""
    received = Rate("node_amazonefa_rdma_write_recv_bytes")
    return Panel(
        title="EFA bytes against KV bytes",
        description="What EFA counted on all nodes, and what this endpoint's KV cache must have needed.",
        unit="Bps",
        lines=(
            Line(query=received, legend="received by EFA"),
            Line(
                query=Times(per_token * s.tensor_parallel_size, _arrived(s)),
                legend="KV cache landed",
            ),
        ),
        runbook="DpdEfaSilent",
    )


def buffer(s: Signals, size: int) -> Panel:
    """The landing zone of the decoder."""
    used = Now("lmcache:local_cache_usage", s.decode, ("pod_name",), "max")
    return Panel(
        title="PD buffer in use",
        description=f"Share of {size} bytes per rank. It should empty whenever nothing runs.",
        unit="percentunit",
        lines=(Line(query=Times(1 / size, used), legend="{{pod_name}}"),),
        limit=Limit(value=limit("buffer_near_full")),
        runbook="DpdBufferNearFull",
    )


def retries(s: Signals) -> Panel:
    """What only the log tells."""
    return Panel(
        title="Failed allocations",
        description="Log lines per second of a decoder that finds no free page.",
        unit="short",
        axis="lines/s",
        lines=(
            Line(query=Rate("dpd_log_alloc_retries_total", s.decode, ("pod_name",)), legend="{{pod_name}}"),
        ),
        limit=Limit(value=limit("allocation_blocked") / s.allocation_retry_seconds),
        runbook="DpdBufferExhausted",
    )
