"""A Helm release from a chart at one commit, as Argo CD or Flux installs it."""

from __future__ import annotations

from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import DeliveryPlan, ReleasePlan
from hyperpod_dpd.blueprint.order import app_wave
from k8s.api import argo, flux

LONGEST_NAME = 53
"""Of an Application or a HelmRelease: their controllers put it into labels with something before it."""


def add_release(
    scope: Construct, plan: ReleasePlan, delivery: DeliveryPlan, *, app: str, environment: str
) -> None:
    """Nothing where kubectl delivers: a runbook has the command for that. No chart output is stored.

    The object carries the environment's name, because one controller may serve several.
    """
    name = names.bounded(f"{environment}-{plan.release}", LONGEST_NAME)
    if delivery.kind == "flux":
        flux.git_repository(
            scope,
            name=name,
            namespace=delivery.namespace,
            url=plan.repository,
            revision=plan.commit,
            credentials_secret=None,
        )
        flux.helm_release(
            scope,
            name=name,
            namespace=delivery.namespace,
            repository=name,
            chart=plan.path,
            release=plan.release,
            target_namespace=plan.namespace,
            values=plan.values,
        )
    elif delivery.kind in {"argocd", "argocd-managed"}:
        argo.application(
            scope,
            name=name,
            namespace=delivery.namespace,
            project=delivery.project,
            wave=app_wave(app),
            source={
                "repoURL": plan.repository,
                "path": plan.path,
                "targetRevision": plan.commit,
                "helm": {"releaseName": plan.release, "valuesObject": dict(plan.values)},
            },
            server=delivery.cluster_arn if delivery.kind == "argocd-managed" else argo.IN_CLUSTER,
            target_namespace=plan.namespace,
            prune=False,
            self_heal=delivery.self_heal,
        )
