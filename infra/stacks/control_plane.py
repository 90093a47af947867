"""The EKS cluster and those add-ons without which a node cannot become ready."""

from __future__ import annotations

from collections.abc import Mapping

from constructs import Construct

from infra.constructs.addons import Addons
from infra.constructs.cluster_admins import ClusterAdmins
from infra.constructs.eks_cluster import EksCluster
from infra.stacks.environment_stack import EnvironmentStack
from lib.blueprint.model import Blueprint


class ControlPlaneStack(EnvironmentStack):
    """What HyperPod needs of Kubernetes before its first node joins."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        blueprint: Blueprint,
        subnet_ids: Mapping[str, str],
        security_group_id: str,
        secrets_key_arn: str | None,
    ) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        plan = blueprint.cluster
        eks = EksCluster(
            self,
            "Eks",
            place=self.place,
            plan=plan,
            subnet_ids=[subnet_ids[s.key] for s in blueprint.network.of_kind("control-plane")],
            security_group_id=security_group_id,
            secrets_key_arn=secrets_key_arn,
            deletion_protection=blueprint.production,
        )
        self.cluster_arn = eks.arn
        self.issuer = eks.issuer
        ClusterAdmins(self, "Admins", place=self.place, cluster_name=eks.name, role_arns=plan.admin_role_arns)
        Addons(
            self,
            "Addons",
            cluster_name=eks.name,
            plans=[addon for addon in blueprint.addons if not addon.needs_nodes],
            settings={},
        )
