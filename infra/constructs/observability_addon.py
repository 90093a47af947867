"""The observability add-on and the role its collector writes with, by EKS Pod Identity."""

from __future__ import annotations

from typing import Any

from aws_cdk import CfnTag, Stack
from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from hyperpod_dpd.blueprint.names import (
    OBSERVABILITY_ADDON,
    OBSERVABILITY_SERVICE_ACCOUNT,
    observability_role,
)
from infra.place import Place
from infra.policy import allow, inline
from infra.trust import pod_identity_trust


class ObservabilityAddon(Construct):
    """``values`` are its configuration; the tag is what AWS's managed policies recognise it by."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        environment: str,
        cluster_name: str,
        cluster_arn: str,
        version: str | None,
        conflicts: str,
        workspace_arn: str,
        given_role_arn: str | None,
        values: dict[str, Any],
    ) -> None:
        super().__init__(scope, id)
        role_arn = given_role_arn or self._role(place, environment, cluster_arn, workspace_arn)
        eks.CfnAddon(
            self,
            "Resource",
            cluster_name=cluster_name,
            addon_name=OBSERVABILITY_ADDON,
            addon_version=version,
            resolve_conflicts=conflicts,
            configuration_values=Stack.of(self).to_json_string(values),
            pod_identity_associations=[
                eks.CfnAddon.PodIdentityAssociationProperty(
                    role_arn=role_arn, service_account=OBSERVABILITY_SERVICE_ACCOUNT
                )
            ],
            tags=[CfnTag(key="SageMaker", value="true")],
        )

    def _role(self, place: Place, environment: str, cluster_arn: str, workspace_arn: str) -> str:
        log_groups = place.arn("logs", "log-group:/aws/sagemaker/Clusters/*")
        return iam.CfnRole(
            self,
            "Role",
            path="/service-role/",
            role_name=observability_role(environment, place.region, kind="addon"),
            assume_role_policy_document=pod_identity_trust(place, cluster_arn=cluster_arn),
            policies=[
                inline(
                    "WriteMetricsAndLogs",
                    allow("aps:RemoteWrite", on=workspace_arn),
                    allow(
                        "logs:CreateLogGroup",
                        "logs:CreateLogStream",
                        "logs:DescribeLogGroups",
                        "logs:DescribeLogStreams",
                        "logs:PutLogEvents",
                        "logs:PutRetentionPolicy",
                        on=[log_groups, f"{log_groups}:log-stream:*"],
                    ),
                )
            ],
        ).attr_arn
