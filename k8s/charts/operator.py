"""What the inference operator's namespace needs beyond its EKS add-on: who may look, and the Helm release."""

from __future__ import annotations

from constructs import Construct

from k8s.api import argo, core, flux
from k8s.charts.app_charts import AppCharts
from lib.blueprint import names
from lib.blueprint.apps import ChartPlan, DeliveryPlan
from lib.blueprint.model import Blueprint
from lib.blueprint.order import app_names

RELEASE = "hyperpod-inference-operator"


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
        group=blueprint.apps.readers_group,
        rules=[
            {"apiGroups": [""], "resources": ["pods", "pods/log", "services", "events"], "verbs": look},
            {"apiGroups": ["apps"], "resources": ["deployments", "replicasets"], "verbs": look},
            {"apiGroups": ["networking.k8s.io"], "resources": ["ingresses"], "verbs": look},
        ],
    )
    if blueprint.apps.chart:
        _release(chart, blueprint.apps.chart, blueprint.apps.delivery)


def _release(chart: Construct, plan: ChartPlan, delivery: DeliveryPlan) -> None:
    """Nothing where kubectl delivers: `dpd runbook install-operator` has the command for that."""
    if delivery.kind == "flux":
        flux.git_repository(
            chart,
            name=RELEASE,
            namespace=delivery.namespace,
            url=plan.repository,
            revision=plan.commit,
            credentials_secret=None,
        )
        flux.helm_release(
            chart,
            name=RELEASE,
            namespace=delivery.namespace,
            repository=RELEASE,
            chart=plan.path,
            release=RELEASE,
            target_namespace=names.OPERATOR_NAMESPACE,
            values=plan.values,
        )
    elif delivery.kind in {"argocd", "argocd-managed"}:
        argo.application(
            chart,
            name=RELEASE,
            namespace=delivery.namespace,
            project=delivery.project,
            wave=names.app_wave("operator"),
            source={
                "repoURL": plan.repository,
                "path": plan.path,
                "targetRevision": plan.commit,
                "helm": {"releaseName": RELEASE, "valuesObject": dict(plan.values)},
            },
            server=delivery.cluster_arn if delivery.kind == "argocd-managed" else argo.IN_CLUSTER,
            target_namespace=names.OPERATOR_NAMESPACE,
            prune=False,
            self_heal=delivery.self_heal,
        )
