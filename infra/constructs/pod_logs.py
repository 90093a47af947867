"""The pods' logs in CloudWatch: kept for a while, counted, and with numbers taken out of the prefillers' lines."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import RemovalPolicy
from aws_cdk import aws_logs as logs
from constructs import Construct

from hyperpod_dpd.observability.log_patterns import GROK, NAMESPACE, NUMBERS, MetricFilter


class PodLogs(Construct):
    """The log group, its transformer and its metric filters; metrics are ``NAMESPACE``/<environment>.

    ``field`` of a record holds the line.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: str,
        name: str,
        field: str,
        retention_days: int,
        filters: Sequence[MetricFilter],
        retain: bool,
    ) -> None:
        super().__init__(scope, id)
        self.namespace = f"{NAMESPACE}/{environment}"
        self.name = name
        group = logs.CfnLogGroup(self, "Resource", log_group_name=name, retention_in_days=retention_days)
        group_name = group.ref
        group.apply_removal_policy(
            RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if retain else RemovalPolicy.DESTROY
        )
        transformer = logs.CfnTransformer(
            self,
            "Numbers",
            log_group_identifier=group_name,
            transformer_config=[
                {"parseJson": {"source": "@message"}},
                {"grok": {"source": field, "match": GROK}},
                {"typeConverter": {"entries": [{"key": key, "type": "double"} for key in NUMBERS]}},
            ],
        )
        for each in filters:
            made = logs.CfnMetricFilter(
                self,
                each.name,
                log_group_name=group_name,
                filter_pattern=each.pattern,
                apply_on_transformed_logs=each.transformed or None,
                metric_transformations=[
                    logs.CfnMetricFilter.MetricTransformationProperty(
                        metric_namespace=self.namespace,
                        metric_name=each.name,
                        metric_value=each.value,
                        default_value=None if each.transformed else 0,
                    )
                ],
            )
            if each.transformed:
                made.add_resource_dependency(transformer)
