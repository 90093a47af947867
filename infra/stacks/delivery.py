"""The managed Argo CD, which applies what nodes need before there is a node."""

from __future__ import annotations

from constructs import Construct

from hyperpod_dpd.blueprint.cloud import ArgoCapabilityPlan
from hyperpod_dpd.blueprint.model import Blueprint
from infra.constructs.argo_capability import ArgoCapability
from infra.stacks.environment_stack import EnvironmentStack


class DeliveryStack(EnvironmentStack):
    """Made only where the document chooses argocd-managed; the other ways run in the cluster and need nodes."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        blueprint: Blueprint,
        plan: ArgoCapabilityPlan,
    ) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        ArgoCapability(self, "ArgoCd", place=self.place, plan=plan, cluster_name=blueprint.cluster.eks_name)
