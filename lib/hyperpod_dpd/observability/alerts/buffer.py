"""The decoder's PD buffer: filling, exhausted, or leaking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.model import Alert, Case, Left
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.samples import flat, of_decode, pod_name, steady

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Left, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    if not s.buffer_bytes:
        names = ("DpdBufferNearFull", "DpdBufferExhausted", "DpdBufferLeak")
        return tuple(Left(alert=name, reason="the size of the PD buffer is unknown") for name in names)
    return (near_full(s, s.buffer_bytes), exhausted(s, s.buffer_bytes), leak(s, s.buffer_bytes))


def near_full(s: Signals, size: int) -> Alert:
    """A ticket before the allocation thread starts to retry."""
    share = limit("buffer_near_full")
    return Alert(
        name="DpdBufferNearFull",
        expr=f"{r.BUFFER}{{{s.own}}} > {number(share)}",
        hold="5m",
        severity="warning",
        summary="PD buffer of {{ $labels.pod_name }} is more than four fifths full",
        meaning=f"The buffer ({size} bytes per rank) receives KV cache before vLLM takes it over. Full, it "
        "stops every transfer from every prefiller.",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c @{decode_deployment} "
        "--since=5m | grep 'Running:' | tail -3",
        cases=(
            Case(name="nine tenths", fires=True, at="10m", series=_used(s, size * 0.9), labels=_pod(s)),
            Case(name="just below", fires=False, at="60m", series=_used(s, size * 0.79)),
            Case(
                name="a burst of four minutes",
                fires=False,
                at="8m",
                series={_usage(s): f"0x6 {int(size * 0.9)}x7 0x280"},
            ),
        ),
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
    cases = [
        Case(name="not one page free", fires=True, at="10m", series=_used(s, size), labels=_pod(s)),
        Case(name="two pages free", fires=False, at="60m", series=_used(s, size - 2 * page - 1)),
    ]
    if s.log_exporter:
        line = of_decode(s, "dpd_log_alloc_retries_total")
        cases += [
            Case(
                name="the log counts retries all the time",
                fires=True,
                at="20m",
                series={line: steady(3000)},
                labels=_pod(s),
            ),
            Case(
                name="both at once are one alert",
                fires=True,
                at="20m",
                series={**_used(s, size), line: steady(3000)},
                labels=_pod(s),
            ),
            Case(
                name="retries for two seconds a minute",
                fires=False,
                at="60m",
                series={line: steady(blocked * 30 * 0.4)},
            ),
        ]
    return Alert(
        name="DpdBufferExhausted",
        expr=f"{full}\nor {from_log}" if s.log_exporter else full,
        hold="2m",
        severity="critical",
        summary="PD buffer of {{ $labels.pod_name }} is exhausted: KV transfers stand still",
        meaning="The decoder's single allocation thread retries for ever and prefillers wait without a "
        "timeout, those of other requests too. A buffer that never empties leaks; one that empties is too small "
        "for the concurrency.",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c "
        "@{decode_deployment} --since=1m"
        " | grep -c 'Failed to allocate memory object'",
        cases=tuple(cases),
    )


def leak(s: Signals, size: int) -> Alert:
    """Idle means that nothing runs or waits, so what the buffer still holds belongs to nobody.

    An endpoint that never idles shows a leak in the floor of its buffer: it rises under the same traffic.
    """
    share = limit("buffer_idle")
    idle = " and on (pod_name) ".join(
        f"(max by (pod_name) (max_over_time({select(name, s.decode)}[5m])) == 0)"
        for name in ("vllm:num_requests_running", "vllm:num_requests_waiting")
    )
    running, waiting = (of_decode(s, f"vllm:num_requests_{state}") for state in ("running", "waiting"))
    return Alert(
        name="DpdBufferLeak",
        expr=f"(min_over_time({r.BUFFER}{{{s.own}}}[5m]) > {number(share)}\nand on (pod_name) ({idle}))\n"
        f"or on (pod_name) ({_rising_floor(s)})",
        hold="5m",
        severity="warning",
        summary="PD buffer of {{ $labels.pod_name }} holds KV cache that nobody waits for",
        meaning="No request runs or waits on this decoder and pages stay taken, or its buffer never empties "
        "as far as it did six hours ago although no more arrives. LMCache 0.4.3 pins pages it looks up twice, "
        "and prefix caching on the decoder never frees pages of prompts it already had. It fills up sooner or "
        "later.",
        first_command="kubectl -n @{namespace} get deployment @{decode_deployment} -o yaml"
        " | grep -n 'prefix-caching\\|image:'",
        cases=(
            Case(
                name="a third taken while idle",
                fires=True,
                at="20m",
                series={**_used(s, size / 3), running: flat(0), waiting: flat(0)},
                labels=_pod(s),
            ),
            Case(
                name="no pause, and the floor rises",
                fires=True,
                at="15h",
                step="5m",
                series={**_floor(s, rise=size * 0.5 / 180), **_arrivals(s, "0+1800000x180")},
                labels=_pod(s),
            ),
            Case(
                name="the floor rises with the traffic",
                fires=False,
                at="12h",
                step="5m",
                series={
                    **_floor(s, rise=size * 0.5 / 180),
                    **_arrivals(s, "0+900000x80 72000000+1800000x100"),
                },
            ),
            Case(
                name="the floor rises while requests wait",
                fires=False,
                at="15h",
                step="5m",
                series={
                    **_floor(s, rise=size * 0.5 / 180),
                    **_arrivals(s, "0+1800000x180"),
                    waiting: "0x60 3x120",
                },
            ),
            Case(
                name="in use",
                fires=False,
                at="60m",
                series={**_used(s, size / 3), running: flat(1), waiting: flat(0)},
            ),
            Case(
                name="a request every four minutes",
                fires=False,
                at="60m",
                series={**_used(s, size / 3), running: "1 0x6 " * 40, waiting: flat(0)},
            ),
            Case(
                name="idle and all but empty",
                fires=False,
                at="60m",
                series={**_used(s, size * 0.04), running: flat(0), waiting: flat(0)},
            ),
        ),
    )


def _rising_floor(s: Signals) -> str:
    """More stays taken at every moment of an hour than six hours ago, with no more KV cache arriving and no queue."""
    floor = f"min_over_time({r.BUFFER}{{{s.own}}}[1h]%s)"
    arriving = f"sum by (pod_name) (rate({select('vllm:external_prefix_cache_hits_total', s.decode)}[1h]%s))"
    waiting = f"max by (pod_name) (min_over_time({select('vllm:num_requests_waiting', s.decode)}[1h]))"
    return (
        f"{floor % ''} > {floor % ' offset 6h'} + {number(limit('buffer_floor_rise'))}\n"
        f"and on (pod_name) ({arriving % ''} <= {number(limit('like_traffic'))} * {arriving % ' offset 6h'})\n"
        f"unless on (pod_name) ({waiting} > 0)"
    )


def _floor(s: Signals, *, rise: float) -> dict[str, str]:
    """One value every five minutes for fifteen hours."""
    return {_usage(s): f"0+{int(rise)}x180"}


def _arrivals(s: Signals, hits: str) -> dict[str, str]:
    running = of_decode(s, "vllm:num_requests_running")
    return {of_decode(s, "vllm:external_prefix_cache_hits_total"): hits, running: "5x180"}


def _usage(s: Signals) -> str:
    return of_decode(s, "lmcache:local_cache_usage", worker_id="0")


def _used(s: Signals, used: float) -> dict[str, str]:
    return {_usage(s): flat(int(used))}


def _pod(s: Signals) -> tuple[dict[str, str], ...]:
    return ({"pod_name": pod_name(s.decode_deployment)},)
