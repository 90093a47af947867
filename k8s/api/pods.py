"""What the pods of our own Jobs share: the restricted security context, and environment variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

USER = 65534
"""An unprivileged user that every image has."""


def pod_security() -> dict[str, Any]:
    """Fields of a pod that the 'restricted' pod security standard asks for."""
    return {
        "runAsNonRoot": True,
        "runAsUser": USER,
        "runAsGroup": USER,
        "fsGroup": USER,
        "seccompProfile": {"type": "RuntimeDefault"},
    }


def container_security() -> dict[str, Any]:
    """Fields of a container that the 'restricted' pod security standard asks for, and a read-only root."""
    return {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def variables(values: Mapping[str, str], secrets: Mapping[str, tuple[str, str]]) -> list[dict[str, Any]]:
    """Plain variables, then those whose value stays in a Secret (name, key)."""
    plain: list[dict[str, Any]] = [{"name": name, "value": value} for name, value in values.items()]
    return plain + [
        {"name": name, "valueFrom": {"secretKeyRef": {"name": secret, "key": key}}}
        for name, (secret, key) in secrets.items()
    ]
