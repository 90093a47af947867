"""Who is there: decoders page, since all traffic ends at them; prefillers are tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.wording import cardinal, duration

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (
        no_ready(s, "decode"),
        no_ready(s, "prefill"),
        restart_loop(s, "decode"),
        restart_loop(s, "prefill"),
        lmcache_degraded(s),
    )


def none_available(s: Signals, role: Literal["prefill", "decode"]) -> str:
    """Kubernetes was asked for pods and has none; where it is not collected, its engines are gone and others are seen.

    A Deployment scaled to zero or deleted is no outage, and where nothing else is seen either, it is the collector.
    """
    decode = role == "decode"
    matcher = (
        f'namespace="{s.namespace}",deployment="{s.decode_deployment if decode else s.prefill_deployment}"'
    )
    available = select("kube_deployment_status_replicas_available", matcher)
    wanted = select("kube_deployment_spec_replicas", matcher)
    created = select("kube_deployment_created", matcher)
    pods = select("vllm:num_requests_running", s.decode if decode else s.prefill)
    others = select("vllm:num_requests_running", s.prefill if decode else s.decode)
    anything = select("kube_deployment_created", f'namespace="{s.namespace}"')
    return (
        f"(sum({available}) == 0 unless on () (sum({wanted}) == 0)"
        f" and on () (time() - max({created}) > {s.deploy_seconds}))\n"
        f"or (count(max_over_time({pods}[1d])) > 0 unless on () (count({pods}) > 0)\n"
        f"  and on () (count({others}) > 0) unless on () (count({anything}) > 0))"
    )


def no_ready(s: Signals, role: Literal["prefill", "decode"]) -> Alert:
    """A Deployment younger than its longest deployment is no outage, and neither is an endpoint never seen."""
    decode = role == "decode"
    return Alert(
        name="DpdNoReadyDecoder" if decode else "DpdNoReadyPrefiller",
        expr=none_available(s, role),
        hold="5m",
        keep="15m",
        severity="critical" if decode else "warning",
        summary=f"No {role}r is ready" if decode else "No prefiller is ready",
        meaning="Every request ends at a decoder, short ones too, so the endpoint serves nothing until one is ready."
        if decode
        else "Short prompts are still served; long ones fail or are computed by the decoder, with all running answers "
        "waiting meanwhile.",
        first_command=f"kubectl -n @{{namespace}} describe pods -l @{{role_label}}={role} | grep -A20 "
        "'^Events'",
    )


def lmcache_degraded(s: Signals) -> Alert | Omitted:
    """LMCache says so in its log only: its gauge of health never has a sample in multi-process mode."""
    name = "DpdLmcacheDegraded"
    if not s.log_exporter:
        return Omitted(alert=name, reason="observability.log_exporter is false and only logs tell")
    return Alert(
        name=name,
        expr=f"max by (pod_name) ({select('dpd_log_lmcache_degraded', s.pods)}) > 0",
        hold="2m",
        severity="critical",
        summary="LMCache on {{ $labels.pod_name }} runs degraded: it recomputes instead of transferring",
        meaning="Some component failed at start or later and LMCache went on without it. No KV cache moves; "
        "after a failed start LMCache 0.4.3 meets an assertion at the next request, and the engine ends "
        "(recorded).",
        first_command="kubectl -n @{namespace} logs {{ $labels.pod_name }} --all-containers | "
        "grep -B5 -iE 'degraded mode|Failed to initialize LMCache' | tail -20",
    )


def restart_loop(s: Signals, role: Literal["prefill", "decode"]) -> Alert:
    """In between it is ready, so nobody would call it gone; each start ends all that ran."""
    decode = role == "decode"
    deployment = s.decode_deployment if decode else s.prefill_deployment
    matcher = f'namespace="{s.namespace}",container="{deployment}"'
    restarts = select("kube_pod_container_status_restarts_total", matcher)
    least, window = limit("restarts"), "1h"
    often = f"{cardinal(least).capitalize()} restarts or more within {duration(window)}."
    return Alert(
        name="DpdDecoderRestartLoop" if decode else "DpdPrefillerRestartLoop",
        expr=f"max by (pod) (increase({restarts}[{window}])) >= {number(least)}",
        hold="0m",
        keep="15m",
        severity="critical" if decode else "warning",
        summary=f"{{{{ $labels.pod }}}}, a {role}{'r' if decode else 'er'}, restarts again and again",
        meaning=f"{often} Every one ends the answers that run and loads the weights "
        "anew; the buffer, the connections of prefillers and the prefix cache are gone each time."
        if decode
        else f"{often} Long prompts meet an error each time, and the decoders keep "
        "handles of every one that is gone.",
        first_command=f"kubectl -n @{{namespace}} get pods -l @{{role_label}}={role} -o "
        "'custom-columns=POD:.metadata.name,RESTARTS:.status.containerStatuses[*].restartCount,"
        "LAST:.status.containerStatuses[*].lastState.terminated.reason'",
    )
