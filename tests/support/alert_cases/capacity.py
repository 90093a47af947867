"""Cases of the alerts on less than was asked for."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.series import of_prefill, of_router, of_workload, series
from hyperpod_dpd.observability.signals import Signals
from tests.support.alert_cases.case import Case, flat, steady


def _deployment(s: Signals, *, wanted: float, available: float, count: int = 600) -> dict[str, str]:
    return {
        of_workload(s, f"kube_deployment_{name}", deployment=s.prefill_deployment): flat(value, count)
        for name, value in (
            ("spec_replicas", wanted),
            ("status_replicas_available", available),
            ("created", 0),
        )
    }


def prefillers_missed(s: Signals) -> tuple[Case, ...]:
    gone = _deployment(s, wanted=1, available=0)
    fallback = of_router(s, "dpd_routing_fallback_total")
    at = f"{s.deploy_seconds // 60 + 20}m"
    return (
        Case(
            name="long prompts fall back", fires=True, at=at, series={**gone, fallback: steady(1, count=600)}
        ),
        Case(name="nobody sends one", fires=False, at=at, series={**gone, fallback: flat(3, 600)}),
        Case(
            name="prefillers stand",
            fires=False,
            at=at,
            series={**_deployment(s, wanted=1, available=1), fallback: steady(1, count=600)},
        ),
    )


def below_declared(s: Signals) -> tuple[Case, ...]:
    at = f"{s.deploy_seconds // 60 + 10}m"
    labels = ({"deployment": s.prefill_deployment},)
    return (
        Case(
            name="one of three is missing",
            fires=True,
            at=at,
            series=_deployment(s, wanted=3, available=2),
            labels=labels,
        ),
        Case(
            name="for less than a deployment may take",
            fires=False,
            at=f"{s.deploy_seconds // 60 - 2}m",
            series=_deployment(s, wanted=3, available=2),
        ),
        Case(name="scaled down on purpose", fires=False, at=at, series=_deployment(s, wanted=2, available=2)),
        Case(
            name="none at all: another alert",
            fires=False,
            at=at,
            series=_deployment(s, wanted=3, available=0),
        ),
    )


def collector_absent(s: Signals) -> tuple[Case, ...]:
    running = of_prefill(s, "vllm:num_requests_running")
    there = series("dpd_log_exporter_info", version="1")
    return (
        Case(
            name="everything ends", fires=True, at="40m", series={running: "1x40 stale", there: "1x40 stale"}
        ),
        Case(
            name="the exporter is seen", fires=False, at="60m", series={running: "1x40 stale", there: flat(1)}
        ),
        Case(
            name="Kubernetes is seen",
            fires=False,
            at="60m",
            series={running: "1x40 stale", series("kube_deployment_created", namespace="other"): flat(1)},
        ),
        Case(name="a gap of eight minutes", fires=False, at="60m", series={running: "1x40 stale _x15 1x240"}),
        Case(name="never seen", fires=False, at="60m", series={}),
    )
