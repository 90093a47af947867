"""Cases of the alerts on who is there."""

from __future__ import annotations

from typing import Literal

from hyperpod_dpd.observability.scenarios.series import of_decode, of_prefill, of_workload, pod_name
from hyperpod_dpd.observability.signals import Signals
from tests.support.alert_cases.case import Case, flat


def no_ready(s: Signals, role: Literal["prefill", "decode"]) -> tuple[Case, ...]:
    decode = role == "decode"
    deployment = s.decode_deployment if decode else s.prefill_deployment
    of = of_decode if decode else of_prefill
    state = of_workload(s, "kube_deployment_status_replicas_available", deployment=deployment)
    born = of_workload(s, "kube_deployment_created", deployment=deployment)
    running = of(s, "vllm:num_requests_running")
    other = (of_prefill if decode else of_decode)(s, "vllm:num_requests_running")
    wanted = of_workload(s, "kube_deployment_spec_replicas", deployment=deployment)
    old = s.deploy_seconds // 30
    return (
        Case(
            name="none available",
            fires=True,
            at=f"{s.deploy_seconds // 60 + 10}m",
            series={state: flat(0, old + 60), born: flat(0, old + 60)},
        ),
        Case(
            name="its series are gone",
            fires=True,
            at="30m",
            series={running: "1x20 stale", other: flat(1)},
        ),
        Case(name="everything is gone: the collector", fires=False, at="30m", series={running: "1x20 stale"}),
        Case(
            name="scaled to zero on purpose",
            fires=False,
            at=f"{s.deploy_seconds // 60 + 10}m",
            series={state: flat(0, old + 60), born: flat(0, old + 60), wanted: flat(0, old + 60)},
        ),
        Case(
            name="the first deployment takes its time",
            fires=False,
            at=f"{s.deploy_seconds // 60 - 1}m",
            series={state: flat(0, old), born: flat(0, old)},
        ),
        Case(
            name="scraping fails, the Deployment is available",
            fires=False,
            at="30m",
            series={running: "1x20 stale", other: flat(1), state: flat(1), born: flat(0)},
        ),
        Case(name="idle", fires=False, at="60m", series={running: flat(0), state: flat(1), born: flat(0)}),
        Case(name="never deployed", fires=False, at="60m", series={}),
    )


def lmcache_degraded(s: Signals) -> tuple[Case, ...]:
    logged = of_decode(s, "dpd_log_lmcache_degraded")
    return (
        Case(
            name="the log says so",
            fires=True,
            at="10m",
            series={logged: flat(1)},
            labels=({"pod_name": pod_name(s.decode_deployment)},),
        ),
        Case(name="healthy", fires=False, at="60m", series={logged: flat(0)}),
    )


def restart_loop(s: Signals, role: Literal["prefill", "decode"]) -> tuple[Case, ...]:
    decode = role == "decode"
    deployment = s.decode_deployment if decode else s.prefill_deployment
    pod = pod_name(deployment)
    counted = of_workload(s, "kube_pod_container_status_restarts_total", container=deployment, pod=pod)
    return (
        Case(
            name="every ten minutes",
            fires=True,
            at="60m",
            series={counted: " ".join(f"{n}x19" for n in range(15))},
            labels=({"pod": pod},),
        ),
        Case(name="two in an hour", fires=False, at="60m", series={counted: "0x20 1x40 2x240"}),
        Case(name="three long ago", fires=False, at="120m", series={counted: flat(3)}),
        Case(
            name="three pods once each",
            fires=False,
            at="60m",
            series={
                of_workload(
                    s,
                    "kube_pod_container_status_restarts_total",
                    container=deployment,
                    pod=pod_name(deployment, place),
                ): "0x20 1x280"
                for place in range(3)
            },
        ),
    )
