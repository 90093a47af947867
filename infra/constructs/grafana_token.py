"""A token that never gets old: managed Grafana's live 30 days at most, so one is made anew well before."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_secretsmanager as secrets
from constructs import Construct

from infra.functions import GRAFANA_TOKEN, HANDLER, text
from infra.place import Place
from infra.policy import allow, inline
from infra.trust import service_trust
from lib.blueprint.names import grafana_token_secret, network_resource
from lib.catalog import metrics


class GrafanaToken(Construct):
    """The secret that External Secrets reads, and the function that fills it."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        environment: str,
        workspace_id: str,
        workspace_arn: str,
        retention_days: int,
    ) -> None:
        super().__init__(scope, id)
        name = network_resource(environment, "grafana-token")
        days = metrics.value("grafana_token_days").value
        secret = secrets.CfnSecret(self, "Secret", name=grafana_token_secret(environment))
        log = logs.CfnLogGroup(
            self, "Log", log_group_name=f"/aws/lambda/{name}", retention_in_days=retention_days
        )
        role = iam.CfnRole(
            self,
            "Role",
            assume_role_policy_document=service_trust("lambda.amazonaws.com"),
            policies=[
                inline(
                    "Rotate",
                    allow(
                        "secretsmanager:DescribeSecret",
                        "secretsmanager:GetSecretValue",
                        "secretsmanager:PutSecretValue",
                        "secretsmanager:UpdateSecretVersionStage",
                        on=secret.ref,
                    ),
                    allow(
                        "grafana:ListWorkspaceServiceAccounts",
                        "grafana:CreateWorkspaceServiceAccount",
                        "grafana:ListWorkspaceServiceAccountTokens",
                        "grafana:CreateWorkspaceServiceAccountToken",
                        "grafana:DeleteWorkspaceServiceAccountToken",
                        on=[workspace_arn, f"{workspace_arn}/*"],
                    ),
                    allow("logs:CreateLogStream", "logs:PutLogEvents", on=log.attr_arn),
                )
            ],
        )
        function = lambda_.CfnFunction(
            self,
            "Function",
            function_name=name,
            runtime="python3.14",
            handler=HANDLER,
            timeout=60,
            role=role.attr_arn,
            code=lambda_.CfnFunction.CodeProperty(zip_file=text(GRAFANA_TOKEN)),
            environment=lambda_.CfnFunction.EnvironmentProperty(
                variables={"WORKSPACE_ID": workspace_id, "TOKEN_DAYS": str(days)}
            ),
        )
        function.add_resource_dependency(log)
        permission = lambda_.CfnPermission(
            self,
            "Invoke",
            function_name=function.attr_arn,
            action="lambda:InvokeFunction",
            principal="secretsmanager.amazonaws.com",
            source_account=place.account,
        )
        schedule = secrets.CfnRotationSchedule(
            self,
            "Schedule",
            secret_id=secret.ref,
            rotation_lambda_arn=function.attr_arn,
            rotate_immediately_on_update=True,
            rotation_rules=secrets.CfnRotationSchedule.RotationRulesProperty(
                automatically_after_days=metrics.value("grafana_rotation_days").value
            ),
        )
        schedule.add_resource_dependency(permission)
