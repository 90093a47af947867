"""What the team has done and wants watched: drills, reports, observability."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator

from hyperpod_dpd.config.base import Digest, Section
from hyperpod_dpd.config.budget import Budget
from hyperpod_dpd.config.existing import GrafanaWorkspaceId
from hyperpod_dpd.config.images import ImageReference

LogRetention = Literal[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653]
"""The periods that CloudWatch Logs offers."""


class Drill(Section):
    """A prefiller restarted on purpose under traffic, and what was seen."""

    date: str = Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="Day of the drill, quoted.")
    image_digest: Digest | None = Field(None, description="Image that was running.")
    report: str = Field(min_length=1, description="Where the report is.")


class Operations(Section):
    """Records that rules ask for in production."""

    prefiller_restart_drill: Drill | None = None
    budget: Budget | None = None
    decode_maintenance_plan: str | None = Field(
        None, description="Where it is written how the decode node is drained and replaced."
    )
    decode_load_spread_report: str | None = Field(
        None, description="Where it is shown that several decoders share the load."
    )


class Observability(Section):
    """The observability add-on, its workspace, and who is told when an alert fires."""

    enabled: bool = True
    network_metrics: bool = Field(True, description="EFA counters; the add-on leaves them off by default.")
    grafana: Literal["managed", "external", "none"] = Field(
        "managed",
        description="'managed' makes a workspace where the Region has it, 'external' only renders dashboards.",
    )
    prometheus_workspace_id: str | None = Field(
        None,
        pattern=r"^ws-[0-9a-f-]{36}$",
        description="An AMP workspace of this account and Region that exists already; our rules go into it, its alert "
        "manager stays its owner's.",
    )
    grafana_workspace: GrafanaWorkspaceId | None = Field(
        None, description="A managed Grafana workspace that exists already; none is made."
    )
    grafana_authentication: Literal["AWS_SSO", "SAML"] = "AWS_SSO"
    alert_email: str | None = Field(
        None, pattern=r"^[^@\s]+@[^@\s]+$", description="Subscribed to the topic; AWS asks it to confirm."
    )
    log_retention_days: LogRetention = Field(30, description="Of the log groups that carry pod logs.")
    logging: bool = Field(True, description="Pod logs to CloudWatch by the add-on.")
    pod_log_group: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9_./#-]+$",
        max_length=512,
        description="Group that pod logs land in, where another agent than the add-on writes them.",
    )
    pod_log_field: str = Field(
        "log",
        pattern=r"^[A-Za-z_]\w*$",
        description="Field of a pod's log record that holds the line; of the add-on's records not published.",
    )
    log_exporter: bool = Field(True, description="Counts in the cluster what only logs tell.")
    log_exporter_image: ImageReference | None = Field(
        None, description="Of the canary too. Default: a stock Python image."
    )
    canary: bool = Field(
        False,
        description="Asks every endpoint a short and a long prompt a minute through its router, and pages where no "
        "answer comes or another than before.",
    )
    observability_config_api_version: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9.-]+/v[0-9a-z]+$",
        description="apiVersion of ObservabilityConfig as `kubectl api-resources` shows it; not published.",
    )
    router_metrics_port: int | None = Field(
        None,
        ge=1,
        le=65535,
        description="Port of the router's pod that shows dpd_* series, for PodMonitor; not published. "
        "Default: the ports that its container declares.",
    )
    first_token_bounds_seconds: list[Annotated[float, Field(gt=0)]] | None = Field(
        None,
        min_length=1,
        description="Bucket bounds of dpd_e2e_ttft_seconds, rising, as the router shows them; not published.",
    )
    notification_failure_metric: str = Field(
        "AlertManagerNotificationsFailed",
        pattern=r"^\w+$",
        max_length=255,
        description="Metric of AWS/Prometheus, by Workspace, that counts alerts which could not be sent.",
    )
    prometheus_operator: bool = Field(False, description="Render PrometheusRule, PodMonitor, ServiceMonitor.")
    prometheus_operator_labels: dict[str, str] = Field(
        default_factory=dict,
        description="Labels that your Prometheus selects by; kube-prometheus-stack wants those of its release.",
    )
    grafana_operator: bool = Field(True, description="Render dashboards for the grafana-operator.")
    runbook_url: str | None = Field(
        None,
        pattern=r"^https?://\S+[^/]$",
        description="Folder that holds the runbooks, for links in alerts.",
    )

    @field_validator("first_token_bounds_seconds")
    @classmethod
    def _rising(cls, bounds: list[float] | None) -> list[float] | None:
        if bounds is not None and any(low >= high for low, high in pairwise(bounds)):
            raise ValueError("bounds have to rise; write them in the order in which the router shows them")
        return bounds
