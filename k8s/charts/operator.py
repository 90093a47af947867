"""What the inference operator's namespace needs beyond its EKS add-on: who may look, and the Helm release."""

from __future__ import annotations

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.order import app_names
from k8s.api import core
from k8s.charts.app_charts import AppCharts
from k8s.charts.release import add_release


def add_operator(charts: AppCharts, blueprint: Blueprint) -> None:
    """The EKS add-on brings namespace, CRDs and operator; a Helm install gets them from the chart's commit."""
    if "operator" not in app_names(blueprint):
        return
    chart = charts.chart("operator")
    if blueprint.operator.install == "helm":
        core.namespace(chart, name=names.OPERATOR_NAMESPACE)
    look = ["get", "list", "watch"]
    core.role_for_group(
        chart,
        name="dpd-reader",
        namespace=names.OPERATOR_NAMESPACE,
        group=blueprint.apps.platform.readers_group,
        rules=[
            {"apiGroups": [""], "resources": ["pods", "pods/log", "services", "events"], "verbs": look},
            {"apiGroups": ["apps"], "resources": ["deployments", "replicasets"], "verbs": look},
            {"apiGroups": ["networking.k8s.io"], "resources": ["ingresses"], "verbs": look},
        ],
    )
    if blueprint.apps.chart:
        add_release(
            chart, blueprint.apps.chart, blueprint.apps.delivery, app="operator", environment=blueprint.name
        )
