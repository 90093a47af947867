"""Who is there: decoders page, since all traffic ends at them; prefillers are tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability.model import Alert, Case, Left
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.samples import flat, of_decode, of_prefill, of_workload, pod_name

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Left, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (
        no_ready(s, "decode"),
        no_ready(s, "prefill"),
        restart_loop(s, "decode"),
        restart_loop(s, "prefill"),
        lmcache_degraded(s),
    )


def no_ready(s: Signals, role: Literal["prefill", "decode"]) -> Alert:
    """A Deployment younger than its longest deployment is no outage, and neither is an endpoint never seen."""
    decode = role == "decode"
    deployment = s.decode_deployment if decode else s.prefill_deployment
    of = of_decode if decode else of_prefill
    matcher = f'namespace="{s.namespace}",deployment="{deployment}"'
    available = select("kube_deployment_status_replicas_available", matcher)
    created = select("kube_deployment_created", matcher)
    pods = select("vllm:num_requests_running", s.decode if decode else s.prefill)
    state = of_workload(s, "kube_deployment_status_replicas_available", deployment=deployment)
    born = of_workload(s, "kube_deployment_created", deployment=deployment)
    running = of(s, "vllm:num_requests_running")
    old = s.deploy_seconds // 30
    return Alert(
        name="DpdNoReadyDecoder" if decode else "DpdNoReadyPrefiller",
        expr=f"(sum({available}) == 0 and on () (time() - max({created}) > {s.deploy_seconds}))\n"
        f"or (count(max_over_time({pods}[1d])) > 0 unless on () (count({pods}) > 0)"
        f" unless on () (sum({available}) > 0))",
        hold="5m",
        severity="critical" if decode else "warning",
        summary=f"No {role}r is ready" if decode else "No prefiller is ready",
        meaning="Every request ends at a decoder, short ones too, so the endpoint serves nothing until one is ready."
        if decode
        else "Short prompts are still served; long ones fail or are computed by the decoder, with all running answers "
        "waiting meanwhile.",
        first_command=f"kubectl -n @{{namespace}} describe pods -l @{{role_label}}={role} | grep -A20 "
        "'^Events'",
        cases=(
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
                series={running: "1x20 stale"},
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
                series={running: "1x20 stale", state: flat(1), born: flat(0)},
            ),
            Case(
                name="idle", fires=False, at="60m", series={running: flat(0), state: flat(1), born: flat(0)}
            ),
            Case(name="never deployed", fires=False, at="60m", series={}),
        ),
    )


def lmcache_degraded(s: Signals) -> Alert:
    """LMCache says so itself, in a gauge and in its log."""
    healthy = select("lmcache:lmcache_is_healthy", s.pods)
    logged = select("dpd_log_lmcache_degraded", s.pods)
    expr = f"min by (pod_name) ({healthy}) == 0"
    pod = ({"pod_name": pod_name(s.decode_deployment)},)
    cases = [
        Case(
            name="unhealthy by its own gauge",
            fires=True,
            at="10m",
            series={of_decode(s, "lmcache:lmcache_is_healthy", worker_id="0"): flat(0)},
            labels=pod,
        ),
        Case(
            name="healthy",
            fires=False,
            at="60m",
            series={of_decode(s, "lmcache:lmcache_is_healthy", worker_id="0"): flat(1)},
        ),
    ]
    if s.log_exporter:
        expr += f"\nor max by (pod_name) ({logged}) > 0"
        cases.append(
            Case(
                name="the log says so",
                fires=True,
                at="10m",
                series={of_decode(s, "dpd_log_lmcache_degraded"): flat(1)},
                labels=pod,
            )
        )
    return Alert(
        name="DpdLmcacheDegraded",
        expr=expr,
        hold="2m",
        severity="critical",
        summary="LMCache on {{ $labels.pod_name }} runs degraded: it recomputes instead of transferring",
        meaning="Some component failed at start or later and LMCache went on without it. No KV cache moves; "
        "after a failed start LMCache 0.4.3 meets an assertion at the next request, and the engine ends "
        "(recorded).",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c @{decode_deployment} | "
        "grep -B5 -iE 'degraded mode|Failed to initialize LMCache' | tail -20",
        cases=tuple(cases),
    )


def restart_loop(s: Signals, role: Literal["prefill", "decode"]) -> Alert:
    """In between it is ready, so nobody would call it gone; each start ends all that ran."""
    decode = role == "decode"
    deployment = s.decode_deployment if decode else s.prefill_deployment
    matcher = f'namespace="{s.namespace}",container="{deployment}"'
    restarts = select("kube_pod_container_status_restarts_total", matcher)
    pod = pod_name(deployment)
    counted = of_workload(s, "kube_pod_container_status_restarts_total", container=deployment, pod=pod)
    return Alert(
        name="DpdDecoderRestartLoop" if decode else "DpdPrefillerRestartLoop",
        expr=f"max by (pod) (increase({restarts}[1h])) >= {number(limit('restarts'))}",
        hold="0m",
        severity="critical" if decode else "warning",
        summary=f"{{{{ $labels.pod }}}}, a {role}{'r' if decode else 'er'}, restarts again and again",
        meaning="Three restarts or more within an hour. Every one ends the answers that run and loads the weights "
        "anew; the buffer, the connections of prefillers and the prefix cache are gone each time."
        if decode
        else "Three restarts or more within an hour. Long prompts meet an error each time, and the decoders keep "
        "handles of every one that is gone.",
        first_command=f"kubectl -n @{{namespace}} get pods -l @{{role_label}}={role} -o "
        "'custom-columns=POD:.metadata.name,RESTARTS:.status.containerStatuses[*].restartCount,"
        "LAST:.status.containerStatuses[*].lastState.terminated.reason'",
        cases=(
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
        ),
    )
