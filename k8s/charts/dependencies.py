"""What HyperPod needs before its nodes join, where a GitOps controller installs it."""

from __future__ import annotations

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.order import app_names
from k8s.charts.app_charts import AppCharts
from k8s.charts.release import add_release

APP = "dependencies"


def add_dependencies(charts: AppCharts, blueprint: Blueprint) -> None:
    """The managed Argo CD runs outside the nodes and needs none for this; Flux and Helm wait for the first."""
    plan = blueprint.apps.dependencies
    if plan is not None and APP in app_names(blueprint):
        add_release(charts.chart(APP), plan, blueprint.apps.delivery, app=APP, environment=blueprint.name)
