"""What watches is watched: engines that run and are not scraped, and a log exporter that is gone or reads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import milliseconds, number, select
from hyperpod_dpd.observability.wording import duration, share

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

_WINDOW = "30m"
"""Over which an engine must have been seen."""


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (engine_unseen(s), log_exporter_absent(s))


def engine_unseen(s: Signals) -> Alert:
    """Kubernetes says a role is available, and its engines are not seen, or only now and then."""
    return Alert(
        name="DpdEngineUnseen",
        expr=f"{_unseen(s, 'decode')}\nor {_unseen(s, 'prefill')}",
        hold="5m",
        severity="warning",
        summary="Pods of {{ $labels.role }} are available and not scraped: their alerts cannot fire",
        meaning=f"For {duration(_WINDOW)} Kubernetes has counted pods of this role as available, and for "
        f"{share(1 - limit('seen_share'))} of it or more "
        "none of their vLLM series was seen. The metrics port differs from the serving port, the collector beside the "
        "engine is gone, or scrapes time out.",
        first_command="kubectl -n @{namespace} get pods -l '@{role_label} in (prefill, decode)' -o wide",
    )


def _unseen(s: Signals, role: Literal["prefill", "decode"]) -> str:
    """Samples are counted over minutes; a Deployment that began to exist within them is left alone."""
    deployment, matchers = (
        (s.prefill_deployment, s.prefill) if role == "prefill" else (s.decode_deployment, s.decode)
    )
    available = select(
        "kube_deployment_status_replicas_available", f'namespace="{s.namespace}",deployment="{deployment}"'
    )
    engines = select("vllm:num_requests_running", matchers)
    seen = number(limit("seen_share") * milliseconds(_WINDOW) / 60_000)
    return (
        f"label_replace(min_over_time(sum({available})[{_WINDOW}:1m]) > 0"
        f" and on () (count({available} offset {_WINDOW}) > 0) and on () (count({available}) > 0)\n"
        f'unless on () (count_over_time(count({engines})[{_WINDOW}:1m]) >= {seen}), "role", "{role}", "", "")'
    )


def log_exporter_absent(s: Signals) -> Alert | Omitted:
    """What only logs tell goes silent with the exporter, so its own absence has to be loud."""
    name = "DpdLogExporterAbsent"
    if not s.log_exporter:
        return Omitted(alert=name, reason="observability.log_exporter is false")
    pods = select("vllm:num_requests_running", s.decode)
    lines = select("dpd_log_lines_total", s.decode)
    return Alert(
        name=name,
        expr=f"count(absent(dpd_log_exporter_info) or absent({lines})) and on () (count({pods}) > 0)",
        hold="15m",
        severity="warning",
        summary="The log exporter is not scraped or reads no decoder: seed, role and buffer retries go unseen",
        meaning="Decoders are up and the exporter that counts their log lines shows nothing of them. It is not "
        "running, the collector has no target for it, or it may not read the pods' logs.",
        first_command="kubectl -n @{watch_namespace} get deployment,service,pods"
        " -l app.kubernetes.io/name=@{log_exporter}",
    )
