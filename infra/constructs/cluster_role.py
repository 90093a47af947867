"""The role with which HyperPod's managed Karpenter adds and removes nodes."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.place import Place
from infra.policy import allow, inline
from infra.trust import service_trust

AUTOSCALING_SERVICE = "hyperpod.sagemaker.amazonaws.com"


class ClusterRole(Construct):
    """Nodes of HyperPod clusters of this account and Region: a cluster's ARN carries a number that only its
    creation brings, and the role must exist before."""

    def __init__(self, scope: Construct, id: str, *, place: Place, key_arn: str | None) -> None:
        super().__init__(scope, id)
        policies = [
            inline(
                "ChangeNodes",
                allow(
                    "sagemaker:BatchAddClusterNodes",
                    "sagemaker:BatchDeleteClusterNodes",
                    on=place.arn("sagemaker", "cluster/*"),
                ),
            )
        ]
        if key_arn is not None:
            through = {"StringLike": {"kms:ViaService": f"sagemaker.{place.region}.amazonaws.com"}}
            policies.append(
                inline("Volumes", allow("kms:CreateGrant", "kms:DescribeKey", on=key_arn, when=through))
            )
        self.arn = iam.CfnRole(
            self,
            "Resource",
            assume_role_policy_document=service_trust(
                AUTOSCALING_SERVICE, when={"StringEquals": {"aws:SourceAccount": place.account}}
            ),
            policies=policies,
        ).attr_arn
