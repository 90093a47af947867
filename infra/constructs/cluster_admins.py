"""Who may do what through the Kubernetes API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aws_cdk import aws_eks as eks
from constructs import Construct

from infra.place import Place


class ClusterAdmins(Construct):
    """One access entry per IAM role, with the cluster-wide admin policy."""

    def __init__(
        self, scope: Construct, id: str, *, place: Place, cluster_name: str, role_arns: Sequence[str]
    ) -> None:
        super().__init__(scope, id)
        for arn in role_arns:
            policy = eks.CfnAccessEntry.AccessPolicyProperty(
                policy_arn=place.cluster_access_policy_arn("AmazonEKSClusterAdminPolicy"),
                access_scope=eks.CfnAccessEntry.AccessScopeProperty(type="cluster"),
            )
            eks.CfnAccessEntry(
                self,
                arn.replace("/", "|"),
                cluster_name=cluster_name,
                principal_arn=arn,
                access_policies=[policy],
            )


class ClusterMembers(Construct):
    """One access entry per IAM role that puts it into a Kubernetes group; what that may do, its bindings say."""

    def __init__(self, scope: Construct, id: str, *, cluster_name: str, groups: Mapping[str, str]) -> None:
        super().__init__(scope, id)
        for arn, group in groups.items():
            eks.CfnAccessEntry(
                self,
                arn.replace("/", "|"),
                cluster_name=cluster_name,
                principal_arn=arn,
                kubernetes_groups=[group],
            )
