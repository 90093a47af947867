"""Configuration values of add-ons, spelled as the add-on (not the Helm chart) spells them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def laid_over(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with every value of ``top`` in its place: mappings merge, anything else replaces."""
    merged = dict(base)
    for key, value in top.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[key] = laid_over(below, value)
        else:
            merged[key] = value
    return merged


def operator_values(
    *,
    execution_role_arn: str,
    tls_bucket: str,
    hyperpod_cluster_arn: str,
    load_balancer_role_arn: str,
    autoscaler_role_arn: str,
) -> dict[str, Any]:
    """Values of the inference operator. Its cluster's ARN is needed since add-on v1.2.0-eksbuild.1."""
    return {
        "executionRoleArn": execution_role_arn,
        "tlsCertificateS3Bucket": tls_bucket,
        "hyperpodClusterArn": hyperpod_cluster_arn,
        "alb": {"enabled": True, "serviceAccount": {"create": True, "roleArn": load_balancer_role_arn}},
        "keda": {
            "enabled": True,
            "auth": {"aws": {"irsa": {"enabled": True, "roleArn": autoscaler_role_arn}}},
        },
    }
