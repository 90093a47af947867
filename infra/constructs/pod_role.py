"""A role for one service account through EKS Pod Identity: role and association, nothing inline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.place import Place
from infra.policy import Statement, inline
from infra.trust import pod_identity_trust


class PodRole(Construct):
    """``policies`` maps the title of each inline policy to its statements."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        cluster_name: str,
        cluster_arn: str,
        namespace: str,
        service_account: str,
        policies: Mapping[str, Sequence[Statement]],
    ) -> None:
        super().__init__(scope, id)
        role = iam.CfnRole(
            self,
            "Role",
            assume_role_policy_document=pod_identity_trust(place, cluster_arn=cluster_arn),
            policies=[inline(title, *statements) for title, statements in policies.items()],
        )
        eks.CfnPodIdentityAssociation(
            self,
            "Association",
            cluster_name=cluster_name,
            namespace=namespace,
            service_account=service_account,
            role_arn=role.attr_arn,
        )
