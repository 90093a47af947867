"""What the blueprint says about watching: objectives of an endpoint, and how an environment is observed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectivesPlan:
    """What the endpoint promises, None where nothing was declared; and whether its traffic never pauses."""

    inter_token_latency_p99_seconds: float | None = None
    time_to_first_token_p95_seconds: float | None = None
    failed_requests_share: float | None = None
    around_the_clock: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservabilityPlan:
    """What is watched and how; ``managed_grafana`` only where the Region has it.

    ``pod_log_group`` receives the pods' logs; ``observability_config_api_version`` is None where nobody told, and
    the two URLs are until the workspaces stand. ``metric_levels`` are by set, such as ``node``, and ``addon_values``
    the document's own configuration values of the add-on; ``prometheus_workspace_id`` and ``grafana_workspace`` (id and
    name) are given ones. None in ``first_token_bounds_seconds`` means the
    catalogue's bounds, in ``router_metrics_port`` whatever ports the router's container declares.
    """

    enabled: bool = True
    network_metrics: bool = True
    managed_grafana: bool = False
    grafana_authentication: str = "AWS_SSO"
    alert_email: str | None = None
    log_retention_days: int = 30
    logging: bool = True
    pod_log_group: str
    pod_log_field: str = "log"
    router_metrics_port: int | None = None
    first_token_bounds_seconds: tuple[float, ...] | None = None
    notification_failure_metric: str = "AlertManagerNotificationsFailed"
    log_exporter: bool = True
    log_exporter_image: str
    canary: bool = False
    observability_config_api_version: str | None = None
    prometheus_operator: bool = False
    prometheus_operator_labels: tuple[tuple[str, str], ...] = ()
    grafana_operator: bool = True
    runbook_url: str | None = None
    addon_version: str | None = None
    metric_levels: Mapping[str, str] = field(default_factory=dict)
    addon_values: Mapping[str, Any] = field(default_factory=dict)
    prometheus_url: str | None = None
    grafana_url: str | None = None
    prometheus_workspace_id: str | None = None
    grafana_workspace: tuple[str, str] | None = None
