"""A record of the VPC's connections, for the day somebody asks who talked to whom."""

from __future__ import annotations

from aws_cdk import CfnTag
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from constructs import Construct

from hyperpod_dpd.blueprint.names import network_resource
from infra.place import Place
from infra.policy import allow, inline
from infra.trust import service_trust


class FlowLog(Construct):
    """All traffic of the VPC into a log group that keeps it for ``retention_days``."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        environment: str,
        vpc_id: str,
        retention_days: int,
    ) -> None:
        super().__init__(scope, id)
        group = logs.CfnLogGroup(self, "LogGroup", retention_in_days=retention_days)
        role = iam.CfnRole(
            self,
            "Role",
            assume_role_policy_document=service_trust(
                "vpc-flow-logs.amazonaws.com",
                when={
                    "StringEquals": {"aws:SourceAccount": place.account},
                    "ArnLike": {"aws:SourceArn": place.arn("ec2", "vpc-flow-log/*")},
                },
            ),
            policies=[
                inline(
                    "WriteFlowLog",
                    allow(
                        "logs:CreateLogStream",
                        "logs:PutLogEvents",
                        "logs:DescribeLogStreams",
                        on=group.attr_arn,
                    ),
                    # DescribeLogGroups has no narrower resource than the account's log groups.
                    allow("logs:DescribeLogGroups", on=place.arn("logs", "log-group:*")),
                )
            ],
        )
        ec2.CfnFlowLog(
            self,
            "Resource",
            resource_id=vpc_id,
            resource_type="VPC",
            traffic_type="ALL",
            log_destination_type="cloud-watch-logs",
            log_destination=group.attr_arn,
            deliver_logs_permission_arn=role.attr_arn,
            tags=[CfnTag(key="Name", value=network_resource(environment, "flow-log"))],
        )
