"""Which side is short of capacity, and whether decoders share the load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.wording import duration, share

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

_WINDOW, _HOLD = "5m", "10m"
"""For how long a queue stands, and for how long that must hold."""


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (decoder_saturated(s), prefill_short(s), overloaded(s), preempting(s), load_skew(s))


def queue_stays(s: Signals, record: str) -> str:
    """More requests than a few waited at every moment of the window: bursts come to an end."""
    return f"min_over_time({record}{{{s.own}}}[{_WINDOW}]) > {number(limit('waiting_requests'))}"


def queue_is_empty(s: Signals, record: str) -> str:
    """Hardly a request waited at any moment of the window."""
    return f"max_over_time({record}{{{s.own}}}[{_WINDOW}]) < {number(limit('waiting_requests'))}"


def decoder_saturated(s: Signals) -> Alert:
    """A queue alone is a burst; with slow tokens, full batches or a full cache it is saturation."""
    busy, growth, before = limit("busy_share"), limit("latency_growth"), "1h"
    running = select("vllm:num_requests_running", s.decode)
    evidence = (
        f"{r.LATENCY}{{{s.own}}} > {number(growth)} * ({r.LATENCY}{{{s.own}}} offset {before})",
        f"sum({running}) >= {number(busy * s.decode_sequences)} * count({running})",
        f"max({select('vllm:kv_cache_usage_perc', s.decode)}) > {number(busy)}",
    )
    return Alert(
        name="DpdDecoderSaturated",
        expr=f"{queue_stays(s, r.DECODE_WAITING)}\nunless {queue_stays(s, r.PREFILL_WAITING)}\n"
        f"and on () ({' or '.join(f'({part})' for part in evidence)})",
        hold=_HOLD,
        severity="warning",
        summary="The decoder is saturated while prefill keeps up",
        meaning=f"Requests wait for decode for {duration(_WINDOW, _HOLD)}, and the decoder runs full batches "
        f"({s.decode_sequences} sequences), a full KV cache, or {share(growth - 1)} slower than {duration(before)} "
        "ago. More prefillers do not help.",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c "
        "@{decode_deployment} --since=2m"
        " | grep 'Running:' | tail -3",
    )


def prefill_short(s: Signals) -> Alert:
    """The opposite of a saturated decoder."""
    return Alert(
        name="DpdPrefillShort",
        expr=f"{queue_stays(s, r.PREFILL_WAITING)}\nunless {queue_stays(s, r.DECODE_WAITING)}",
        hold=_HOLD,
        severity="warning",
        summary="Requests queue for prefill while the decoder has room",
        meaning="Time to the first token grows and the gap between tokens does not. More prefillers, or a "
        "higher routing threshold, shorten the queue.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c @{router_container} "
        "--since=15m | grep -o 'disaggregate=[TF][a-z]*' | sort | uniq -c",
    )


def overloaded(s: Signals) -> Alert:
    """What neither of the two above says: both sides queue."""
    return Alert(
        name="DpdEndpointOverloaded",
        expr=f"{queue_stays(s, r.PREFILL_WAITING)}\nand {queue_stays(s, r.DECODE_WAITING)}",
        hold=_HOLD,
        severity="warning",
        summary="Both roles have standing queues: the endpoint gets more than it can serve",
        meaning=f"For {duration(_WINDOW, _HOLD)} requests have waited in front of prefill and in front of "
        "decode. Add both, or "
        "limit what is let in.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c "
        "@{router_container} --since=15m | grep -c 'Conditional routing'",
    )


def preempting(s: Signals) -> Alert:
    """A share of the requests, and more than a few: bursts may preempt once."""
    share, least = limit("preempted_share"), limit("preemptions")
    preemptions = f"sum(increase({select('vllm:num_preemptions_total', s.decode)}[15m]))"
    finished = f"sum(increase({select('vllm:request_success_total', s.decode)}[15m]))"
    return Alert(
        name="DpdDecoderPreempts",
        expr=f"{preemptions} > {number(least)} and {preemptions} > {number(share)} * {finished}",
        hold="10m",
        severity="warning",
        summary="The decoder runs out of KV cache and preempts running requests",
        meaning="A preempted request is computed again, its prompt included, on the decoder. The KV cache is "
        "too small for max-num-seqs at these lengths.",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c @{decode_deployment} "
        "--since=5m | grep -o 'KV cache usage: [0-9.]*%' | tail -3",
    )


def load_skew(s: Signals) -> Alert | Omitted:
    """Only where several decoders do enough to be compared."""
    name = "DpdDecoderLoadSkew"
    if s.decode_replicas < 2:
        return Omitted(alert=name, reason="there is one decoder")
    skew, loaded = number(limit("load_skew")), number(limit("loaded_decoder"))
    running = f"avg by (pod_name) (avg_over_time({select('vllm:num_requests_running', s.decode)}[15m]))"
    tokens = f"sum by (pod_name) (rate({select('vllm:generation_tokens_total', s.decode)}[15m]))"

    return Alert(
        name=name,
        expr=f"max({tokens}) > {skew} * avg({tokens}) and avg({running}) > {loaded}",
        hold="15m",
        severity="warning",
        summary="One decoder carries most of the load",
        meaning="All traffic ends at the decoders, and AWS has validated one. With sessions or prefixes "
        "bound to pods a few busy ones can fill one decoder while the other idles.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c "
        "@{router_container} --since=15m"
        " | grep -o 'to decoder http://[0-9.:]*' | sort | uniq -c",
    )
