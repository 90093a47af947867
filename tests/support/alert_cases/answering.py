"""Cases of the alerts on what a user feels."""

from __future__ import annotations

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.observability.scenarios.series import of_decode, of_router, pod_name, series
from hyperpod_dpd.observability.signals import Signals
from tests.support.alert_cases.case import Case, flat, steady


def _of_router_deployment(s: Signals, name: str) -> str:
    return series(name, namespace=names.OPERATOR_NAMESPACE, deployment=s.router_deployment)


def no_ready_router(s: Signals) -> tuple[Case, ...]:
    available, wanted, created = (
        _of_router_deployment(s, f"kube_deployment_{name}")
        for name in ("status_replicas_available", "spec_replicas", "created")
    )
    seen = of_router(s, "dpd_routing_inflight_prefill")
    finished = of_decode(s, "vllm:request_success_total", finished_reason="stop")
    at, old = f"{s.deploy_seconds // 60 + 5}m", s.deploy_seconds // 30 + 60
    gone = {available: flat(0, old), wanted: flat(1, old), created: flat(0, old)}
    return (
        Case(name="none available", fires=True, at=at, series=gone),
        Case(
            name="not collected by Kubernetes: its series ended with the answers",
            fires=True,
            at="50m",
            series={seen: "0x70 stale", finished: "0+5x70 350x230"},
        ),
        Case(name="scaled to zero on purpose", fires=False, at=at, series={**gone, wanted: flat(0, old)}),
        Case(
            name="not scraped, and requests are answered",
            fires=False,
            at="50m",
            series={seen: "0x70 stale", finished: steady(5)},
        ),
        Case(
            name="the first deployment takes its time",
            fires=False,
            at=f"{s.deploy_seconds // 60 - 1}m",
            series=gone,
        ),
    )


def decoder_hangs(s: Signals) -> tuple[Case, ...]:
    running, tokens = of_decode(s, "vllm:num_requests_running"), of_decode(s, "vllm:generation_tokens_total")
    other = {
        of_decode(s, "vllm:num_requests_running", pod=1): flat(4),
        of_decode(s, "vllm:generation_tokens_total", pod=1): steady(900),
    }
    stuck = {running: flat(3), tokens: "0+900x20 18000x280"}
    return (
        Case(
            name="one of two",
            fires=True,
            at="17m",
            series={**other, **stuck},
            labels=({"pod_name": pod_name(s.decode_deployment)},),
        ),
        Case(name="four minutes", fires=False, at="14m30s", series=stuck),
        Case(name="idle", fires=False, at="60m", series={**stuck, running: flat(0)}),
        Case(name="slow", fires=False, at="60m", series={running: flat(3), tokens: steady(0.5)}),
    )


def traffic_stopped(s: Signals) -> tuple[Case, ...]:
    finished = of_decode(s, "vllm:request_success_total", finished_reason="stop")
    return (
        Case(name="silence", fires=True, at="60m", series={finished: "0+5x60 300x240"}),
        Case(name="one request every ten minutes", fires=False, at="100m", series={finished: steady(0.05)}),
        Case(name="a new decoder", fires=False, at="14m", series={finished: flat(0)}),
    )


def _asked(s: Signals, outcome: str, path: str = "long") -> str:
    labels = {"namespace": s.namespace, "endpoint": s.endpoint, "path": path, "outcome": outcome}
    return series("dpd_canary_requests_total", **labels)


def canary_fails(s: Signals) -> tuple[Case, ...]:
    broken = {_asked(s, "ok"): "0+1x40 40x260", _asked(s, "error"): "0x40 0+1x260"}
    return (
        Case(name="long prompts fail", fires=True, at="35m", series=broken, labels=({"path": "long"},)),
        Case(
            name="every second one fails",
            fires=False,
            at="60m",
            series={_asked(s, "ok"): steady(0.5), _asked(s, "error"): steady(0.5)},
        ),
        Case(name="two in ten minutes", fires=False, at="60m", series={_asked(s, "error"): steady(0.09)}),
    )


def canary_wrong(s: Signals) -> tuple[Case, ...]:
    return (
        Case(
            name="another answer each time",
            fires=True,
            at="30m",
            series={_asked(s, "wrong"): steady(0.5)},
            labels=({"path": "long"},),
        ),
        Case(name="one in ten minutes", fires=False, at="60m", series={_asked(s, "wrong"): steady(0.05)}),
    )


def canary_absent(s: Signals) -> tuple[Case, ...]:
    running = of_decode(s, "vllm:num_requests_running")
    absent = ({"endpoint": s.endpoint, "namespace": s.namespace},)
    return (
        Case(name="not there", fires=True, at="20m", series={running: flat(1)}, labels=absent),
        Case(name="there", fires=False, at="60m", series={running: flat(1), _asked(s, "ok"): steady(0.5)}),
        Case(name="nothing to ask", fires=False, at="60m", series={}),
    )
