"""Argo CD as a capability of the EKS cluster, with the rights it needs inside."""

from __future__ import annotations

from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from hyperpod_dpd.blueprint.cloud import ArgoCapabilityPlan
from infra.place import Place
from infra.policy import allow, document, inline
from infra.trust import CAPABILITY_SERVICE, session_trust


class ArgoCapability(Construct):
    """The capability, its role, and an access entry that makes the role an administrator of this cluster.

    EKS would make the entry itself, but without any Kubernetes right; so it is made first, with the policy.
    Argo CD applies custom resource definitions and DaemonSets: nothing less than cluster scope will do.
    """

    def __init__(
        self, scope: Construct, id: str, *, place: Place, plan: ArgoCapabilityPlan, cluster_name: str
    ) -> None:
        super().__init__(scope, id)
        reads = [
            inline(
                "RepositoryCredentials",
                allow("secretsmanager:GetSecretValue", on=list(plan.repository_secret_arns)),
            )
        ]
        role = iam.CfnRole(
            self,
            "Role",
            assume_role_policy_document=document(session_trust(place, CAPABILITY_SERVICE)),
            policies=reads if plan.repository_secret_arns else None,
        )
        policy = eks.CfnAccessEntry.AccessPolicyProperty(
            policy_arn=place.cluster_access_policy_arn("AmazonEKSClusterAdminPolicy"),
            access_scope=eks.CfnAccessEntry.AccessScopeProperty(type="cluster"),
        )
        entry = eks.CfnAccessEntry(
            self,
            "Entry",
            cluster_name=cluster_name,
            principal_arn=role.attr_arn,
            access_policies=[policy],
        )
        types = eks.CfnCapability
        by_role: dict[str, list[eks.CfnCapability.SsoIdentityProperty]] = {}
        for identity in plan.identities:
            by_role.setdefault(identity.role, []).append(
                types.SsoIdentityProperty(id=identity.id, type=identity.type)
            )
        capability = types(
            self,
            "Resource",
            capability_name=plan.name,
            cluster_name=cluster_name,
            type="ARGOCD",
            role_arn=role.attr_arn,
            delete_propagation_policy="RETAIN",
            configuration=types.CapabilityConfigurationProperty(
                argo_cd=types.ArgoCdProperty(
                    namespace=plan.namespace,
                    aws_idc=types.AwsIdcProperty(
                        idc_instance_arn=plan.instance_arn, idc_region=plan.instance_region
                    ),
                    rbac_role_mappings=[
                        types.ArgoCdRoleMappingProperty(role=role_name, identities=identities)
                        for role_name, identities in by_role.items()
                    ]
                    or None,
                )
            ),
        )
        capability.add_resource_dependency(entry)
