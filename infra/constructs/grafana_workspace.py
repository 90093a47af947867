"""Managed Grafana with a role that reads this environment's metrics, and the token that dashboards are written with."""

from __future__ import annotations

from aws_cdk import aws_grafana as grafana
from aws_cdk import aws_iam as iam
from constructs import Construct

from hyperpod_dpd.blueprint.names import grafana_workspace, observability_role
from hyperpod_dpd.catalog import metrics
from infra.place import Place
from infra.policy import allow, inline
from infra.trust import service_trust


class GrafanaWorkspace(Construct):
    """The workspace; who may sign in is decided in IAM Identity Center or at the SAML provider."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        environment: str,
        authentication: str,
        workspace_arn: str,
        given_role_arn: str | None,
    ) -> None:
        super().__init__(scope, id)
        role_arn = given_role_arn or self._role(place, environment, workspace_arn)
        self.name = grafana_workspace(environment)
        made = grafana.CfnWorkspace(
            self,
            "Resource",
            name=self.name,
            account_access_type="CURRENT_ACCOUNT",
            authentication_providers=[authentication],
            permission_type="CUSTOMER_MANAGED",
            role_arn=role_arn,
            data_sources=["PROMETHEUS", "CLOUDWATCH"],
            grafana_version=metrics.value("grafana_version").value,
        )
        self.id = made.attr_id
        self.arn = place.arn("grafana", f"/workspaces/{self.id}")
        self.url = f"https://{made.attr_endpoint}"

    def _role(self, place: Place, environment: str, workspace_arn: str) -> str:
        return iam.CfnRole(
            self,
            "Role",
            path="/service-role/",
            role_name=observability_role(environment, place.region, kind="grafana"),
            assume_role_policy_document=service_trust(
                "grafana.amazonaws.com",
                when={
                    "StringEquals": {"aws:SourceAccount": place.account},
                    "StringLike": {"aws:SourceArn": place.arn("grafana", "/workspaces/*")},
                },
            ),
            policies=[
                inline(
                    "ReadMetrics",
                    allow(
                        "aps:QueryMetrics",
                        "aps:GetLabels",
                        "aps:GetSeries",
                        "aps:GetMetricMetadata",
                        "aps:DescribeWorkspace",
                        "aps:ListRules",
                        "aps:ListAlerts",
                        on=workspace_arn,
                    ),
                    # Listing workspaces and reading CloudWatch metrics know no narrower resource.
                    allow(
                        "aps:ListWorkspaces",
                        "cloudwatch:DescribeAlarmsForMetric",
                        "cloudwatch:GetMetricData",
                        "cloudwatch:ListMetrics",
                        "tag:GetResources",
                        on="*",
                    ),
                )
            ],
        ).attr_arn
