"""Configuration values of add-ons, spelled as the add-on (not the Helm chart) spells them."""

from __future__ import annotations

from typing import Any


def operator_values(
    *,
    execution_role_arn: str,
    tls_bucket: str,
    hyperpod_cluster_arn: str,
    load_balancer_role_arn: str,
    autoscaler_role_arn: str,
    gateway_role_arn: str | None,
) -> dict[str, Any]:
    """Values of the inference operator. Its cluster's ARN is needed since add-on v1.2.0-eksbuild.1."""
    values: dict[str, Any] = {
        "executionRoleArn": execution_role_arn,
        "tlsCertificateS3Bucket": tls_bucket,
        "hyperpodClusterArn": hyperpod_cluster_arn,
        "alb": {"enabled": True, "serviceAccount": {"create": True, "roleArn": load_balancer_role_arn}},
        "keda": {
            "enabled": True,
            "auth": {"aws": {"irsa": {"enabled": True, "roleArn": autoscaler_role_arn}}},
        },
    }
    if gateway_role_arn is not None:
        values["inferenceGateway"] = {"enabled": True, "serviceAccount": {"roleArn": gateway_role_arn}}
    return values
