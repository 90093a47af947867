"""One endpoint, one app folder, so that each is rolled out and reverted on its own."""

from __future__ import annotations

from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan
from k8s.api.inference import InferenceEndpointConfig
from k8s.charts.app_charts import AppCharts


def add_endpoint(charts: AppCharts, blueprint: Blueprint, plan: EndpointPlan) -> None:
    """The InferenceEndpointConfig of ``plan``; nothing while a fact it needs is missing."""
    manifest = plan.rendered()
    if manifest is None:
        return
    chart = charts.chart(plan.app)
    InferenceEndpointConfig(chart, "endpoint", manifest=manifest)
