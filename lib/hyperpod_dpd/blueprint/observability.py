"""What of an environment is watched, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.registry import with_digest
from hyperpod_dpd.blueprint.watching import ObservabilityPlan
from hyperpod_dpd.catalog import kubernetes, metrics

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment


def plan_observability(loaded: LoadedEnvironment, *, grafana_here: bool) -> ObservabilityPlan:
    """``grafana_here`` tells whether the Region has managed Grafana."""
    given = loaded.environment.observability
    return ObservabilityPlan(
        enabled=given.enabled,
        network_metrics=given.network_metrics,
        managed_grafana=given.enabled and given.grafana == "managed" and grafana_here,
        grafana_authentication=given.grafana_authentication,
        alert_email=given.alert_email,
        log_retention_days=given.log_retention_days,
        logging=given.logging,
        pod_log_group=given.pod_log_group or names.pod_log_group(loaded.name),
        pod_log_field=given.pod_log_field,
        router_metrics_port=given.router_metrics_port,
        first_token_bounds_seconds=tuple(given.first_token_bounds_seconds or ()) or None,
        notification_failure_metric=given.notification_failure_metric,
        log_exporter=given.log_exporter,
        log_exporter_image=with_digest(
            loaded, given.log_exporter_image or metrics.image("log_exporter"), None
        ),
        canary=given.canary,
        observability_config_api_version=given.observability_config_api_version,
        prometheus_operator=given.prometheus_operator,
        prometheus_operator_labels=tuple(sorted(given.prometheus_operator_labels.items())),
        grafana_operator=given.grafana_operator and given.grafana != "none",
        runbook_url=given.runbook_url,
        prometheus_workspace_id=given.prometheus_workspace_id,
        grafana_workspace=(given.grafana_workspace.id, given.grafana_workspace.name)
        if given.grafana_workspace
        else None,
        addon_version=_addon_version(loaded, names.OBSERVABILITY_ADDON),
        metric_levels=_levels(loaded),
        addon_values=loaded.environment.addon_values.get(names.OBSERVABILITY_ADDON, {}),
        prometheus_url=loaded.outputs.prometheus_url,
        grafana_url=loaded.outputs.grafana_url,
    )


def _addon_version(loaded: LoadedEnvironment, addon: str) -> str | None:
    if pinned := loaded.environment.addon_versions.get(addon):
        return pinned
    known = next((entry.default for entry in kubernetes.addons() if entry.name == addon), None)
    return str(known) if known else None


def _levels(loaded: LoadedEnvironment) -> dict[str, str]:
    """What is collected of each set: what serving and its drivers tell, unless the document says otherwise."""
    environment = loaded.environment
    given: dict[str, str] = dict(environment.addons.observability.metrics.items())
    return {
        "inference": "BASIC",
        "node": "BASIC",
        "accelerated_compute": "ADVANCED",
        "custom": "BASIC",
        "scaling": "BASIC",
        "task_governance": "BASIC" if environment.task_governance else "DISABLED",
        "training": "DISABLED",
        **given,
    }
