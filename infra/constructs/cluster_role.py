"""The role with which HyperPod's managed Karpenter adds and removes nodes."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.place import Place
from infra.policy import Conditions, allow, inline
from infra.trust import service_trust

AUTOSCALING_SERVICE = "hyperpod.sagemaker.amazonaws.com"
GRANTED = (
    "CreateGrant",
    "Decrypt",
    "DescribeKey",
    "GenerateDataKeyWithoutPlaintext",
    "ReEncryptTo",
    "ReEncryptFrom",
    "RetireGrant",
)
"""What a grant on the volumes' key may let a service do (SageMaker developer guide, role for Karpenter)."""


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
            through = {"StringEquals": {"kms:ViaService": f"sagemaker.{place.region}.amazonaws.com"}}
            for_services: Conditions = {
                "Bool": {"kms:GrantIsForAWSResource": "true"},
                "ForAllValues:StringEquals": {"kms:GrantOperations": list(GRANTED)},
            }
            policies.append(
                inline(
                    "Volumes",
                    allow("kms:CreateGrant", on=key_arn, when={**through, **for_services}),
                    allow("kms:DescribeKey", on=key_arn, when=through),
                )
            )
        self.arn = iam.CfnRole(
            self,
            "Resource",
            assume_role_policy_document=service_trust(
                AUTOSCALING_SERVICE, when={"StringEquals": {"aws:SourceAccount": place.account}}
            ),
            policies=policies,
        ).attr_arn
