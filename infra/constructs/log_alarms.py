"""CloudWatch alarms: the path that still tells when the cluster, its collector or AMP is down."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from hyperpod_dpd.blueprint.names import network_resource
from hyperpod_dpd.observability.log_patterns import MetricFilter

_HOUR = 3600


class LogAlarms(Construct):
    """One alarm for each filter that has a limit, one for logs that stop and one for alerts that are not sent.

    ``token_function`` renews the token of grafana-operator; None where there is none.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: str,
        namespace: str,
        log_group: str,
        filters: Sequence[MetricFilter],
        workspace_id: str,
        failure_metric: str,
        token_function: str | None,
        topic_arn: str,
    ) -> None:
        super().__init__(scope, id)
        self._environment = environment
        self._topic_arn = topic_arn
        for each in filters:
            limit = each.alarm_above if each.alarm_above is not None else each.alarm_below
            if limit is None:
                continue
            self._alarm(
                each.name,
                description=f"{each.meaning} ({environment}); see docs/runbooks",
                namespace=namespace,
                metric=each.name,
                dimensions={},
                period=each.alarm_minutes * 60,
                threshold=limit,
                comparison="GreaterThanThreshold" if each.alarm_above is not None else "LessThanThreshold",
                # A filter counts zero for what it does not match and nothing where nothing arrives.
                missing="notBreaching",
            )
        self._alarm(
            "PodLogsStopped",
            description=f"no pod of {environment} has logged for an hour: the cluster, its nodes or the agent is down",
            namespace="AWS/Logs",
            metric="IncomingLogEvents",
            dimensions={"LogGroupName": log_group},
            period=_HOUR,
            threshold=1,
            comparison="LessThanThreshold",
            missing="breaching",
        )
        self._alarm(
            "AlertsNotSent",
            description=f"the alert manager of {environment} could not publish: alerts fire and nobody is told",
            namespace="AWS/Prometheus",
            metric=failure_metric,
            dimensions={"Workspace": workspace_id},
            period=300,
            threshold=0,
            comparison="GreaterThanThreshold",
            missing="notBreaching",
        )
        if token_function is not None:
            self._alarm(
                "GrafanaTokenNotRenewed",
                description=f"the token of grafana-operator in {environment} could not be renewed: boards stop "
                "following the repository when it ends; see docs/runbooks/grafana-token.md",
                namespace="AWS/Lambda",
                metric="Errors",
                dimensions={"FunctionName": token_function},
                period=_HOUR,
                threshold=0,
                comparison="GreaterThanThreshold",
                missing="notBreaching",
            )

    def _alarm(
        self,
        name: str,
        *,
        description: str,
        namespace: str,
        metric: str,
        dimensions: dict[str, str],
        period: int,
        threshold: float,
        comparison: str,
        missing: str,
    ) -> None:
        cloudwatch.CfnAlarm(
            self,
            name,
            alarm_name=network_resource(self._environment, name),
            alarm_description=description,
            namespace=namespace,
            metric_name=metric,
            dimensions=[
                cloudwatch.CfnAlarm.DimensionProperty(name=key, value=value)
                for key, value in dimensions.items()
            ]
            or None,
            statistic="Sum",
            period=period,
            evaluation_periods=1,
            threshold=threshold,
            comparison_operator=comparison,
            treat_missing_data=missing,
            alarm_actions=[self._topic_arn],
            ok_actions=[self._topic_arn],
        )
