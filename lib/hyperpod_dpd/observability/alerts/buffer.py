"""The decoder's PD buffer: filling, exhausted, or leaking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.signals import LANDED_SOURCE, LANDED_TOKENS
from hyperpod_dpd.observability.wording import duration, share

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

_BEFORE = "6h"
"""What the floor of the buffer is compared with."""


_SEEDS = (
    "for d in @{prefill_deployment} @{decode_deployment}; do kubectl -n @{namespace} exec "
    "deployment/$d -c $d -- printenv PYTHONHASHSEED; done"
)
"""Asked first wherever the buffer fills: pages that are never found look like a leak and like load."""


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    if not s.buffer_bytes:
        names = ("DpdBufferNearFull", "DpdBufferExhausted", "DpdBufferLeak", "DpdKeysNeverFound")
        return tuple(Omitted(alert=name, reason="the size of the PD buffer is unknown") for name in names)
    return (
        near_full(s, s.buffer_bytes),
        exhausted(s, s.buffer_bytes),
        leak(s, s.buffer_bytes),
        never_found(s),
    )


def near_full(s: Signals, size: int) -> Alert:
    """A ticket before the allocation thread starts to retry."""
    most = limit("buffer_near_full")
    return Alert(
        name="DpdBufferNearFull",
        expr=f"{r.BUFFER}{{{s.own}}} > {number(most)}",
        hold="5m",
        severity="warning",
        summary=f"PD buffer of {{{{ $labels.pod_name }}}} is more than {share(most)} full",
        meaning=f"The buffer ({size} bytes per rank) receives KV cache before vLLM takes it over. Full, it "
        "stops every transfer from every prefiller.",
        first_command=_SEEDS,
    )


def exhausted(s: Signals, size: int) -> Alert:
    """No page is free, or the allocation thread spends its time asleep, which only the log tells."""
    page = s.page_bytes or 0
    # Both sides by pod alone: one pod that shows both must be one alert.
    full = (
        f"max by (pod_name) ({r.BUFFER}{{{s.own}}}) > {number(round(1 - page / size, 6) if page else 0.999)}"
    )
    blocked = limit("allocation_blocked") / s.allocation_retry_seconds
    retries = select("dpd_log_alloc_retries_total", s.decode)
    from_log = f"max by (pod_name) (rate({retries}[5m])) > {number(blocked)}"
    return Alert(
        name="DpdBufferExhausted",
        expr=f"{full}\nor {from_log}" if s.log_exporter else full,
        hold="2m",
        severity="critical",
        summary="PD buffer of {{ $labels.pod_name }} is exhausted: KV transfers stand still",
        meaning="The decoder's single allocation thread retries for ever and prefillers wait without a "
        "timeout, those of other requests too. A buffer that never empties leaks; one that empties is too small "
        "for the concurrency.",
        first_command=_SEEDS,
    )


def never_found(s: Signals) -> Alert:
    """Pages arrive, lookups find none, nothing is taken over: neither traffic nor a leak lets a buffer grow that way.

    A leak leaves single pages behind while others land; more traffic lands more.
    """
    window = "10m"
    missed = (
        f"sum by (pod_name) (increase({select('lmcache:lookup_0_hit_requests_total', s.decode)}[{window}]))"
    )
    landed = f"sum by (pod_name) (increase({select(LANDED_TOKENS, s.decode, LANDED_SOURCE)}[{window}]))"
    floor = f"min_over_time({r.BUFFER}{{{s.own}}}[5m]%s)"
    return Alert(
        name="DpdKeysNeverFound",
        expr=f"{floor % ''} > {floor % f' offset {window}'}\n"
        f"and on (pod_name) ({missed} >= {number(limit('missed_lookups'))})\n"
        f"and on (pod_name) ({landed} == 0)",
        hold="1m",
        keep="30m",
        severity="critical",
        summary="PD buffer of {{ $labels.pod_name }} fills with KV cache that nobody asks for by its name",
        meaning=f"For {duration(window)} pages have arrived on this decoder, its lookups found none and it took over "
        "nothing: both sides name the same prompt differently. Pages that are never found are never freed; at a full "
        "buffer every prefiller that sends there blocks, for its other decoders too, and its /health still answers.",
        first_command=_SEEDS,
    )


def leak(s: Signals, size: int) -> Alert:
    """Idle means that nothing runs or waits, so what the buffer still holds belongs to nobody.

    An endpoint that never idles shows a leak in the floor of its buffer: it rises under the same traffic.
    """
    least = limit("buffer_idle")
    idle = " and on (pod_name) ".join(
        f"(max by (pod_name) (max_over_time({select(name, s.decode)}[5m])) == 0)"
        for name in ("vllm:num_requests_running", "vllm:num_requests_waiting")
    )
    return Alert(
        name="DpdBufferLeak",
        expr=f"(min_over_time({r.BUFFER}{{{s.own}}}[5m]) > {number(least)}\nand on (pod_name) ({idle}))\n"
        f"or on (pod_name) ({_rising_floor(s)})",
        hold="5m",
        severity="warning",
        summary="PD buffer of {{ $labels.pod_name }} holds KV cache that nobody waits for",
        meaning="No request runs or waits on this decoder and pages stay taken, or its buffer never empties "
        f"as far as it did {duration(_BEFORE)} ago although no more arrives. LMCache 0.4.3 pins pages it looks up "
        "twice, and prefix caching on the decoder never frees pages of prompts it already had. It fills up sooner or "
        "later.",
        first_command=_SEEDS,
    )


def _rising_floor(s: Signals) -> str:
    """More stays taken at every moment of an hour than six hours ago, with no more KV cache arriving and no queue."""
    floor = f"min_over_time({r.BUFFER}{{{s.own}}}[1h]%s)"
    arriving = f"sum by (pod_name) (rate({select(LANDED_TOKENS, s.decode, LANDED_SOURCE)}[1h]%s))"
    waiting = f"max by (pod_name) (min_over_time({select('vllm:num_requests_waiting', s.decode)}[1h]))"
    return (
        f"{floor % ''} > {floor % f' offset {_BEFORE}'} + {number(limit('buffer_floor_rise'))}\n"
        f"and on (pod_name) ({arriving % ''} <= {number(limit('like_traffic'))} * {arriving % f' offset {_BEFORE}'})\n"
        f"unless on (pod_name) ({waiting} > 0)"
    )
