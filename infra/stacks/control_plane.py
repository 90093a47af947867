"""The EKS cluster and those add-ons without which a node cannot become ready."""

from __future__ import annotations

from collections.abc import Mapping

from constructs import Construct

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.names import network_resource
from hyperpod_dpd.config.existing_cluster import ExistingCluster
from infra.constructs.addons import Addons
from infra.constructs.cluster_admins import ClusterAdmins, ClusterMembers
from infra.constructs.eks_cluster import EksCluster
from infra.constructs.https_security_group import HttpsSecurityGroup
from infra.constructs.oidc_provider import OidcProvider
from infra.place import Place
from infra.stacks.environment_stack import EnvironmentStack
from infra.trust import Issuer


class ControlPlaneStack(EnvironmentStack):
    """What HyperPod needs of Kubernetes before its first node joins."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        blueprint: Blueprint,
        vpc_id: str,
        subnet_ids: Mapping[str, str],
        security_group_id: str,
        secrets_key_arn: str | None,
    ) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        plan = blueprint.cluster
        if plan.existing is None:
            groups = [security_group_id]
            if plan.private_access_cidrs:
                access = HttpsSecurityGroup(
                    self,
                    "ApiAccess",
                    name=network_resource(blueprint.name, "api"),
                    description="The Kubernetes API: HTTPS from the ranges that administer the cluster",
                    vpc_id=vpc_id,
                    cidrs=plan.private_access_cidrs,
                )
                groups.append(access.group_id)
            eks = EksCluster(
                self,
                "Eks",
                place=self.place,
                plan=plan,
                subnet_ids=[subnet_ids[s.key] for s in blueprint.network.of_kind("control-plane")],
                security_group_ids=groups,
                secrets_key_arn=secrets_key_arn,
                deletion_protection=blueprint.protected,
            )
            name, self.cluster_arn, self.issuer = eks.name, eks.arn, eks.issuer
        else:
            name = plan.eks_name
            self.cluster_arn, self.issuer = existing_cluster(self.place, plan.existing)
            if plan.existing.create_oidc_provider:
                OidcProvider(self, "OidcProvider", url=plan.existing.oidc_issuer)
        ClusterAdmins(self, "Admins", place=self.place, cluster_name=name, role_arns=plan.admin_role_arns)
        ClusterMembers(self, "Members", cluster_name=name, groups=plan.kubernetes_groups)
        Addons(
            self,
            "Addons",
            cluster_name=name,
            plans=[addon for addon in blueprint.addons if not addon.needs_nodes],
            conflicts=plan.addon_conflicts,
            settings={},
        )


def existing_cluster(place: Place, plan: ExistingCluster) -> tuple[str, Issuer]:
    """ARN and issuer of somebody else's cluster, both known beforehand."""
    return place.arn("eks", f"cluster/{plan.name}"), Issuer(place=place, url=plan.oidc_issuer)
