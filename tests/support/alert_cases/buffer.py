"""Cases of the alerts on the decoder's PD buffer."""

from __future__ import annotations

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability.scenarios.series import of_decode, pod_name
from hyperpod_dpd.observability.signals import Signals
from tests.support.alert_cases.case import Case, flat, steady


def near_full(s: Signals, size: int) -> tuple[Case, ...]:
    return (
        Case(name="nine tenths", fires=True, at="10m", series=_used(s, size * 0.9), labels=_pod(s)),
        Case(name="just below", fires=False, at="60m", series=_used(s, size * 0.79)),
        Case(
            name="a burst of four minutes",
            fires=False,
            at="8m",
            series={_usage(s): f"0x6 {int(size * 0.9)}x7 0x280"},
        ),
    )


def exhausted(s: Signals, size: int) -> tuple[Case, ...]:
    page = s.page_bytes or 0
    blocked = limit("allocation_blocked") / s.allocation_retry_seconds
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
    return tuple(cases)


def never_found(s: Signals, size: int) -> tuple[Case, ...]:
    missed = of_decode(s, "lmcache:lookup_0_hit_requests_total", worker_id="0")
    landed = of_decode(s, "vllm:prompt_tokens_by_source_total", source="external_kv_transfer")
    fills = {_usage(s): f"0+{int(size / 100)}x90"}
    return (
        Case(
            name="every lookup misses and the buffer fills",
            fires=True,
            at="30m",
            series={**fills, missed: steady(2), landed: flat(0)},
            labels=_pod(s),
        ),
        Case(
            name="traffic grows, and lands",
            fires=False,
            at="30m",
            series={**fills, missed: steady(2), landed: steady(6000)},
        ),
        Case(
            name="a leak that rests while nothing is looked up",
            fires=False,
            at="60m",
            series={**_used(s, size / 3), missed: steady(2), landed: flat(0)},
        ),
        Case(
            name="two lookups miss",
            fires=False,
            at="30m",
            series={**fills, missed: steady(0.08), landed: flat(0)},
        ),
    )


def leak(s: Signals, size: int) -> tuple[Case, ...]:
    running, waiting = (of_decode(s, f"vllm:num_requests_{state}") for state in ("running", "waiting"))
    return (
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
    )


def _floor(s: Signals, *, rise: float) -> dict[str, str]:
    """One value every five minutes for fifteen hours."""
    return {_usage(s): f"0+{int(rise)}x180"}


def _arrivals(s: Signals, hits: str) -> dict[str, str]:
    running = of_decode(s, "vllm:num_requests_running")
    return {
        of_decode(s, "vllm:prompt_tokens_by_source_total", source="external_kv_transfer"): hits,
        running: "5x180",
    }


def _usage(s: Signals) -> str:
    return of_decode(s, "lmcache:local_cache_usage", worker_id="0")


def _used(s: Signals, used: float) -> dict[str, str]:
    return {_usage(s): flat(int(used))}


def _pod(s: Signals) -> tuple[dict[str, str], ...]:
    return ({"pod_name": pod_name(s.decode_deployment)},)
