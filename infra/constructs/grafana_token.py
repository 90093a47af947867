"""A token that never gets old: managed Grafana's live 30 days at most, so one is made anew well before."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_secretsmanager as secrets
from constructs import Construct

from hyperpod_dpd.blueprint.names import grafana_token_secret, network_resource
from hyperpod_dpd.catalog import metrics
from infra.functions import GRAFANA_TOKEN, HANDLER, text
from infra.place import Place
from infra.policy import Statement, allow, inline
from infra.trust import service_trust


class GrafanaToken(Construct):
    """The secret that External Secrets reads, and the function that fills it; ``key_arn`` None for AWS's own key."""

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
        key_arn: str | None,
    ) -> None:
        super().__init__(scope, id)
        name = self.function_name(environment)
        days = metrics.value("grafana_token_days").value
        secret = secrets.CfnSecret(self, "Secret", name=grafana_token_secret(environment), kms_key_id=key_arn)
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
                    *(_key(place, key_arn) if key_arn is not None else ()),
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

    @staticmethod
    def function_name(environment: str) -> str:
        """Of the function that renews the token."""
        return network_resource(environment, "grafana-token")


def _key(place: Place, key_arn: str) -> list[Statement]:
    """Secrets Manager reads and writes with the rights of whoever asks it to."""
    through = {"StringEquals": {"kms:ViaService": f"secretsmanager.{place.region}.amazonaws.com"}}
    return [allow("kms:Decrypt", "kms:GenerateDataKey", on=key_arn, when=through)]
