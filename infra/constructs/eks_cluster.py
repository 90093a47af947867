"""The EKS control plane that HyperPod nodes join."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from hyperpod_dpd.blueprint.model import ClusterPlan
from infra.place import Place
from infra.trust import STS_AUDIENCE, Issuer, service_trust

LOG_TYPES = ("api", "audit", "authenticator", "controllerManager", "scheduler")


class EksCluster(Construct):
    """A cluster with API authentication and an IAM OIDC provider for the roles of service accounts.

    A native resource: no Lambda function holds cluster rights. The creator gets no rights either, and the
    add-ons come from EKS, not from its unmanaged copies; both are create-only, so both are constants.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        plan: ClusterPlan,
        subnet_ids: Sequence[str],
        security_group_ids: Sequence[str],
        secrets_key_arn: str | None,
        deletion_protection: bool,
    ) -> None:
        super().__init__(scope, id)
        role = iam.CfnRole(
            self,
            "Role",
            assume_role_policy_document=service_trust(
                "eks.amazonaws.com",
                when={
                    "StringEquals": {"aws:SourceAccount": place.account},
                    "ArnEquals": {"aws:SourceArn": place.arn("eks", f"cluster/{plan.eks_name}")},
                },
            ),
            managed_policy_arns=[place.managed_policy_arn("AmazonEKSClusterPolicy")],
        )
        cluster = eks.CfnCluster(
            self,
            "Resource",
            name=plan.eks_name,
            version=plan.kubernetes_version,
            role_arn=role.attr_arn,
            resources_vpc_config=eks.CfnCluster.ResourcesVpcConfigProperty(
                subnet_ids=list(subnet_ids),
                security_group_ids=list(security_group_ids),
                endpoint_private_access=True,
                endpoint_public_access=plan.endpoint_public_access,
                public_access_cidrs=list(plan.public_access_cidrs) or None,
            ),
            access_config=eks.CfnCluster.AccessConfigProperty(
                authentication_mode="API", bootstrap_cluster_creator_admin_permissions=False
            ),
            bootstrap_self_managed_addons=False,
            logging=_logging(),
            encryption_config=_encryption(secrets_key_arn),
            deletion_protection=True if deletion_protection else None,
        )
        self.name = cluster.ref
        self.arn = cluster.attr_arn
        self.issuer = Issuer(place=place, url=cluster.attr_open_id_connect_issuer_url)
        iam.CfnOIDCProvider(self, "OidcProvider", url=self.issuer.url, client_id_list=[STS_AUDIENCE])


def _logging() -> eks.CfnCluster.LoggingProperty:
    types = [eks.CfnCluster.LoggingTypeConfigProperty(type=kind) for kind in LOG_TYPES]
    return eks.CfnCluster.LoggingProperty(
        cluster_logging=eks.CfnCluster.ClusterLoggingProperty(enabled_types=types)
    )


def _encryption(key_arn: str | None) -> list[eks.CfnCluster.EncryptionConfigProperty] | None:
    """None leaves the secrets to the key that EKS owns; the property cannot be changed later."""
    if key_arn is None:
        return None
    provider = eks.CfnCluster.ProviderProperty(key_arn=key_arn)
    return [eks.CfnCluster.EncryptionConfigProperty(provider=provider, resources=["secrets"])]
