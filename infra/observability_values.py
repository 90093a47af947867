"""Configuration of the observability add-on, spelled as AWS's own Terraform modules spell it.

The add-on's real schema is only in ``aws eks describe-addon-configuration``; public sources disagree on a few keys.
"""

from __future__ import annotations

from typing import Any

from lib.blueprint.watching import ObservabilityPlan
from lib.catalog import metrics


def observability_values(
    plan: ObservabilityPlan,
    *,
    workspace_arn: str,
    endpoint: str,
    grafana: tuple[str, str] | None,
) -> dict[str, Any]:
    """``endpoint`` without a trailing slash; ``grafana`` is the workspace's name and ARN."""
    interval = metrics.value("scrape_interval_seconds").value

    def provider(level: str) -> dict[str, Any]:
        return {"level": level, "scrapeInterval": interval}

    values: dict[str, Any] = {
        "ampWorkspace": {"prometheusEndpoint": endpoint, "arn": workspace_arn},
        "metricsProvider": {
            "inferenceMetrics": provider("BASIC"),
            "nodeMetrics": provider("BASIC"),
            "acceleratedComputeMetrics": provider("ADVANCED"),
            "customMetrics": provider("BASIC"),
            # EFA counters: off by default, and without them a fallback to TCP is invisible.
            "networkMetrics": provider("ADVANCED" if plan.network_metrics else "DISABLED"),
            "scalingMetrics": provider("BASIC"),
            "taskGovernanceMetrics": provider("DISABLED"),
            "trainingMetrics": provider("DISABLED"),
        },
        "logging": {"enabled": plan.logging},
    }
    if grafana is not None:
        values["amgWorkspace"] = {"workspaceName": grafana[0], "arn": grafana[1]}
    return values
