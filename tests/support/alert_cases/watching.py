"""Cases of the alerts on what watches."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.series import of_decode, of_workload, series
from hyperpod_dpd.observability.signals import Signals
from tests.support.alert_cases.case import Case, flat, steady


def engine_unseen(s: Signals) -> tuple[Case, ...]:
    running = of_decode(s, "vllm:num_requests_running")
    available = of_workload(s, "kube_deployment_status_replicas_available", deployment=s.decode_deployment)
    up = flat(1)
    return (
        Case(
            name="never scraped",
            fires=True,
            at="70m",
            series={available: up},
            labels=({"role": "decode"},),
        ),
        Case(
            name="a target that answers every third minute",
            fires=True,
            at="100m",
            series={available: up, running: "1 stale _x4 " * 50},
            labels=({"role": "decode"},),
        ),
        Case(name="scraped", fires=False, at="100m", series={available: up, running: up}),
        Case(
            name="a gap of five minutes",
            fires=False,
            at="100m",
            series={available: up, running: "1x120 stale _x9 1x170"},
        ),
        Case(
            name="a decoder that took twenty minutes to start",
            fires=False,
            at="100m",
            series={available: "1x120 0x40 1x140", running: "1x120 stale _x39 1x140"},
        ),
        Case(name="the first half hour", fires=False, at="33m", series={available: up}),
    )


def log_exporter_absent(s: Signals) -> tuple[Case, ...]:
    running, read = of_decode(s, "vllm:num_requests_running"), of_decode(s, "dpd_log_lines_total")
    there = series("dpd_log_exporter_info", version="1")
    return (
        Case(name="decoders without it", fires=True, at="20m", series={running: flat(0)}),
        Case(
            name="it reads no pod",
            fires=True,
            at="20m",
            series={running: flat(0), there: flat(1)},
        ),
        Case(
            name="there",
            fires=False,
            at="60m",
            series={running: flat(0), there: flat(1), read: steady(1)},
        ),
        Case(name="no decoder either", fires=False, at="60m", series={}),
    )
