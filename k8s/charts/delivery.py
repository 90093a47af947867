"""How the tree reaches the cluster: Argo CD Applications by wave, or Flux Kustomizations that wait for each other."""

from __future__ import annotations

from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import DeliveryPlan
from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.order import app_names, app_wave, waits_for
from k8s.api import argo, flux
from k8s.charts.app_charts import AppCharts

LONGEST_NAME = 53
"""Of an Application or a Kustomization: their controllers put it into labels with something before it."""


def add_delivery(charts: AppCharts, blueprint: Blueprint) -> None:
    """Folder ``delivery`` is applied once by hand; the controller does the rest. kubectl needs neither."""
    plan = blueprint.apps.delivery
    if plan.kind == "flux":
        _flux(charts, blueprint, plan)
    elif plan.kind in {"argocd", "argocd-managed"}:
        _argo(charts, blueprint, plan)


def unit(environment: str, app: str) -> str:
    """Name of an app's Application or Kustomization; one controller may serve several environments."""
    return names.bounded(f"{environment}-{app}", LONGEST_NAME)


def _argo(charts: AppCharts, blueprint: Blueprint, plan: DeliveryPlan) -> None:
    chart = charts.chart("delivery")
    managed = plan.kind == "argocd-managed"
    server = plan.cluster_arn if managed else argo.IN_CLUSTER
    if managed:
        argo.cluster_secret(
            chart,
            name=names.eks_cluster(blueprint.name),
            namespace=plan.namespace,
            server=plan.cluster_arn,
            project=plan.project,
        )
    releases = [release for release in (blueprint.apps.dependencies, blueprint.apps.chart) if release]
    repositories = list(dict.fromkeys([plan.repository, *(release.repository for release in releases)]))
    argo.project(
        chart,
        name=plan.project,
        namespace=plan.namespace,
        repositories=repositories,
        server=server,
        description=f"Disaggregated prefill and decode, environment {blueprint.name}",
    )

    def application(into: Construct, app: str, *, wave: int) -> None:
        argo.application(
            into,
            name=unit(blueprint.name, app),
            namespace=plan.namespace,
            project=plan.project,
            wave=wave,
            source={
                "repoURL": plan.repository,
                "path": f"{plan.path}/{app}",
                "targetRevision": plan.revision,
            },
            server=server,
            target_namespace=None,
            prune=plan.prune,
            self_heal=plan.self_heal,
        )

    application(chart, "delivery-apps", wave=0)
    apps = charts.chart("delivery-apps")
    for app in app_names(blueprint):
        application(apps, app, wave=app_wave(app))


def _flux(charts: AppCharts, blueprint: Blueprint, plan: DeliveryPlan) -> None:
    chart = charts.chart("delivery")
    repository = names.bounded(f"dpd-{blueprint.name}", LONGEST_NAME)
    flux.git_repository(
        chart,
        name=repository,
        namespace=plan.namespace,
        url=plan.repository,
        revision=plan.revision,
        credentials_secret=plan.credentials_secret,
    )
    apps = app_names(blueprint)
    for app in apps:
        flux.kustomization(
            chart,
            name=unit(blueprint.name, app),
            namespace=plan.namespace,
            repository=repository,
            path=f"{plan.path}/{app}",
            depends_on=[unit(blueprint.name, each) for each in waits_for(app, apps)],
            prune=plan.prune,
            wait=True,
        )
