"""What several alerts and panels ask for, evaluated once: rates and shares of one endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.observability.model import Recording
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.signals import (
    COMPUTED_TOKENS,
    INTER_TOKEN,
    LANDED_SOURCE,
    LANDED_TOKENS,
    PROMPT_TOKENS,
)

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

DISAGGREGATED = "dpd:disaggregated_requests:rate10m"
LANDED = "dpd:landed_tokens_per_disaggregated_request:rate10m"
RETRIEVED_SHARE = "dpd:retrieved_share:rate10m"
PREFILLED = "dpd:prefilled_tokens:rate10m"
UNLANDED = "dpd:unlanded_tokens:rate10m"
MIDDLING_PREFILLS = "dpd:decoder_middling_prefills:rate10m"
LONG_PREFILLS = "dpd:decoder_long_prefills:rate10m"
SPARED_MIDDLING = "dpd:decoder_spared_middling:rate10m"
SPARED_LONG = "dpd:decoder_spared_long:rate10m"
RECENT_LONG_PREFILLS = "dpd:decoder_long_prefills:increase5m"
SHARE = "dpd:disaggregated_share:rate30m"
WIRE = "dpd:kv_put_bytes_per_second_per_rank:rate5m"
EXPECTED_KV = "dpd:expected_kv_bytes:rate5m"
EFA = "dpd:efa_received_bytes:rate5m"
BUFFER = "dpd:pd_buffer_used:ratio"
READY_PREFILLERS = "dpd:ready_prefillers:sum"
PREFILL_WAITING = "dpd:prefill_waiting:sum"
DECODE_WAITING = "dpd:decode_waiting:sum"
INFLIGHT = "dpd:inflight_prefill:sum"
LATENCY = "dpd:inter_token_seconds:mean5m"


def recordings(s: Signals) -> tuple[Recording, ...]:
    """The recorded series of a disaggregated endpoint; those whose figures are unknown are left out."""
    hits = select(LANDED_TOKENS, s.decode, LANDED_SOURCE)
    routed = select("dpd_routing_disaggregated_total", s.router)
    found = [
        Recording(record=DISAGGREGATED, expr=f"sum(rate({routed}[10m]))"),
        Recording(record=LANDED, expr=f"sum(rate({hits}[10m])) / (sum(rate({routed}[10m])) > 0)"),
        Recording(
            record=RETRIEVED_SHARE,
            expr=f"{_rate('lmcache:num_hit_tokens_total', s.decode, '10m')}"
            f" / ({_rate('lmcache:num_requested_tokens_total', s.decode, '10m')} > 0)",
        ),
        Recording(record=PREFILLED, expr=_rate("vllm:prompt_tokens_total", s.prefill, "10m")),
        Recording(record=UNLANDED, expr=f"{PREFILLED}{{{s.own}}} - on () sum(rate({hits}[10m]))"),
        *_prefills_on_decoder(s),
        Recording(record=SHARE, expr=_share(s)),
        *_bytes(s),
        Recording(
            record=READY_PREFILLERS,
            expr="sum("
            + select(
                "kube_deployment_status_replicas_available",
                f'namespace="{s.namespace}",deployment="{s.prefill_deployment}"',
            )
            + ")",
        ),
        Recording(record=PREFILL_WAITING, expr=f"sum({select('vllm:num_requests_waiting', s.prefill)})"),
        Recording(record=DECODE_WAITING, expr=f"sum({select('vllm:num_requests_waiting', s.decode)})"),
        Recording(record=INFLIGHT, expr=f"sum({select('dpd_routing_inflight_prefill', s.router)})"),
        Recording(
            record=LATENCY,
            expr=f"{_rate(INTER_TOKEN + '_sum', s.decode, '5m')}"
            f" / ({_rate(INTER_TOKEN + '_count', s.decode, '5m')} > 0)",
        ),
    ]
    return tuple(found)


def _rate(name: str, matchers: str, window: str, *more: str) -> str:
    return f"sum(rate({select(name, matchers, *more)}[{window}]))"


def _by_rank(name: str, matchers: str) -> str:
    """One slow rank holds up every transfer and all but disappears in a sum."""
    return f"sum by (pod_name, worker_id) (rate({select(name, matchers)}[5m]))"


def _prefills_on_decoder(s: Signals) -> list[Recording]:
    """Requests whose prompt is longer than a bucket bound beside the threshold: computed by the decoder, or spared it.

    A decoder is spared a prompt by KV cache that landed and by its own prefix cache alike.
    """
    below, above = s.bound_below(s.threshold_tokens), s.bound_above(s.threshold_tokens)
    found = []
    for record, bound, function in (
        (MIDDLING_PREFILLS, below, "rate(%s[10m])"),
        (LONG_PREFILLS, above, "rate(%s[10m])"),
        (RECENT_LONG_PREFILLS, above, "increase(%s[5m])"),
    ):
        if bound is not None:
            everything = function % select(f"{COMPUTED_TOKENS}_count", s.decode)
            shorter = function % select(f"{COMPUTED_TOKENS}_bucket", s.decode, f'le="{bound}"')
            found.append(Recording(record=record, expr=f"sum({everything}) - sum({shorter})"))
    for record, bound, computed in (
        (SPARED_MIDDLING, below, MIDDLING_PREFILLS),
        (SPARED_LONG, above, LONG_PREFILLS),
    ):
        if bound is not None:
            every = _rate(f"{PROMPT_TOKENS}_count", s.decode, "10m")
            shorter = _rate(f"{PROMPT_TOKENS}_bucket", s.decode, "10m", f'le="{bound}"')
            found.append(
                Recording(record=record, expr=f"({every} - {shorter}) - on () {computed}{{{s.own}}}")
            )
    return found


def _share(s: Signals) -> str:
    """Disaggregated over routed requests; a counter that does not exist yet counts as zero."""
    disaggregated = f"(sum(rate({select('dpd_routing_disaggregated_total', s.router)}[30m])) or vector(0))"
    local = f"(sum(rate({select('dpd_routing_local_total', s.router)}[30m])) or vector(0))"
    return f"{disaggregated} / (({disaggregated} + {local}) > 0)"


def _bytes(s: Signals) -> list[Recording]:
    per_token = s.kv_bytes_per_token_per_rank
    found = []
    if per_token is not None:
        found += [
            Recording(
                record=WIRE,
                expr=f"{per_token} * {_by_rank('lmcache:num_stored_tokens_total', s.prefill)}"
                f" / ({_by_rank('lmcache:store_put_time_sum', s.prefill)} > 0)",
            ),
            Recording(
                record=EXPECTED_KV,
                expr=f"{per_token * s.tensor_parallel_size}"
                f" * {_rate(LANDED_TOKENS, s.decode, '5m', LANDED_SOURCE)}",
            ),
        ]
    if s.efa and s.network_metrics:
        found.append(
            Recording(
                record=EFA,
                expr="sum(rate(node_amazonefa_rdma_write_recv_bytes[5m]))"
                " + (sum(rate(node_amazonefa_rdma_read_bytes[5m])) or vector(0))",
            )
        )
    if s.buffer_bytes:
        usage = select("lmcache:local_cache_usage", s.decode)
        found.append(Recording(record=BUFFER, expr=f"max by (pod_name) ({usage}) / {number(s.buffer_bytes)}"))
    return found
