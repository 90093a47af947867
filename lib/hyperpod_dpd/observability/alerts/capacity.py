"""Less stands than was asked for: what that means depends on the traffic, and on who is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.alerts.availability import none_available
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import select

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (prefillers_missed(s), below_declared(s), collector_absent(s))


def prefillers_missed(s: Signals) -> Alert:
    """Without a prefiller short prompts are served; it is an outage for those who send long ones."""
    failed = select("dpd_routing_fallback_total", s.router)
    computed = (
        f"{r.RECENT_LONG_PREFILLS}{{{s.own}}} > 0" if s.bound_above(s.threshold_tokens) else "vector(0) > 0"
    )
    return Alert(
        name="DpdPrefillersMissed",
        expr=f"({none_available(s, 'prefill')})\nand on () (sum(increase({failed}[10m])) > 0 or {computed})",
        hold="5m",
        keep="15m",
        severity="critical",
        summary="No prefiller is ready, and long prompts arrive",
        meaning="Long prompts fail or are computed by the decoders, and every running answer waits for each of them.",
        first_command="kubectl -n @{namespace} describe pods -l @{role_label}=prefill | grep -A20 '^Events'",
    )


def below_declared(s: Signals) -> Alert:
    """What Kubernetes was asked for against what stands, for longer than a deployment may take."""
    matcher = f'namespace="{s.namespace}",deployment=~"({s.prefill_deployment}|{s.decode_deployment})"'
    wanted = select("kube_deployment_spec_replicas", matcher)
    available = select("kube_deployment_status_replicas_available", matcher)
    return Alert(
        name="DpdCapacityBelowDeclared",
        expr=f"(sum by (deployment) ({wanted}) > sum by (deployment) ({available})) "
        f"and sum by (deployment) ({available}) > 0",
        hold=f"{s.deploy_seconds // 60}m",
        keep="10m",
        severity="warning",
        summary="{{ $labels.deployment }} has fewer pods than it is to have",
        meaning=f"For {s.deploy_seconds // 60} minutes fewer pods have been available than the Deployment asks for. "
        "The rest carries the load; the next loss is felt.",
        first_command="kubectl -n @{namespace} get pods -l '@{role_label} in (prefill, decode)' -o wide",
    )


def collector_absent(s: Signals) -> Alert:
    """Engines were seen within a day, and now neither they nor Kubernetes nor the exporter: nobody looks any more."""
    engines = select("vllm:num_requests_running", s.pods)
    return Alert(
        name="DpdCollectorAbsent",
        expr=f"count(max_over_time({engines}[1d])) > 0 unless on () (count({engines}) > 0)\n"
        f"unless on () (count({select('kube_deployment_created')}) > 0)\n"
        f"unless on () (count({select('dpd_routing_inflight_prefill', s.router)}) > 0)"
        + ("\nunless on () (count(dpd_log_exporter_info) > 0)" if s.log_exporter else ""),
        hold="10m",
        severity="critical",
        summary="Nothing is collected any more: no alert of this endpoint can fire",
        meaning="Engines, router, Kubernetes and the log exporter all stopped to be seen at once, so it is the "
        "collection that failed and not the endpoint. Requests may be served as ever; nobody would know if not.",
        first_command="kubectl -n @{observability_namespace} get pods -o wide",
    )
