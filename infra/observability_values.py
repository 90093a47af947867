"""Configuration of the observability add-on, spelled as AWS's own Terraform modules spell it.

The add-on's real schema is only in ``aws eks describe-addon-configuration``; public sources disagree on a few keys.
"""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.blueprint.addon_values import laid_over
from hyperpod_dpd.blueprint.watching import ObservabilityPlan
from hyperpod_dpd.catalog import metrics


def observability_values(
    plan: ObservabilityPlan,
    *,
    workspace_arn: str,
    endpoint: str,
    grafana: tuple[str, str] | None,
) -> dict[str, Any]:
    """``endpoint`` without a trailing slash; ``grafana`` is the workspace's name and ARN."""
    interval = metrics.value("scrape_interval_seconds").value
    # EFA counters: off by default, and without them a fallback to TCP is invisible.
    levels = {**plan.metric_levels, "network": "ADVANCED" if plan.network_metrics else "DISABLED"}
    values: dict[str, Any] = {
        "ampWorkspace": {"prometheusEndpoint": endpoint, "arn": workspace_arn},
        "metricsProvider": {
            _provider(name): {"level": level, "scrapeInterval": interval} for name, level in levels.items()
        },
        "logging": {"enabled": plan.logging},
    }
    if grafana is not None:
        values["amgWorkspace"] = {"workspaceName": grafana[0], "arn": grafana[1]}
    return laid_over(values, plan.addon_values)


def _provider(name: str) -> str:
    """``accelerated_compute`` as acceleratedComputeMetrics."""
    first, *rest = name.split("_")
    return f"{first}{''.join(part.capitalize() for part in rest)}Metrics"
