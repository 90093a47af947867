"""What KEDA may do: read the metrics that it scales endpoints on."""

from __future__ import annotations

from infra.place import Place
from infra.policy import Statement, allow


def autoscaler_statements(place: Place) -> dict[str, list[Statement]]:
    """Read access to CloudWatch metrics and to the Prometheus workspaces of this account and Region."""
    return {
        "ReadMetrics": [
            # CloudWatch metrics have no ARN.
            allow(
                "cloudwatch:GetMetricData",
                "cloudwatch:GetMetricStatistics",
                "cloudwatch:ListMetrics",
                on="*",
            ),
            allow(
                "aps:QueryMetrics",
                "aps:GetLabels",
                "aps:GetSeries",
                "aps:GetMetricMetadata",
                on=place.arn("aps", "workspace/*"),
            ),
        ]
    }
