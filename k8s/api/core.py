"""Kubernetes' own kinds, with the few fields that we set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from constructs import Construct

from k8s.api.manifest import add


def namespace(scope: Construct, *, name: str, labels: Mapping[str, str] | None = None) -> None:
    """A namespace; ``labels`` such as those of pod security."""
    metadata = {"name": name, **({"labels": dict(labels)} if labels else {})}
    add(scope, {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})


def service_account(scope: Construct, *, name: str, namespace: str, api_token: bool = False) -> None:
    """An identity for pods; ``api_token`` says whether they may talk to the Kubernetes API."""
    add(
        scope,
        {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": name, "namespace": namespace},
            "automountServiceAccountToken": api_token,
        },
    )


def config_map(scope: Construct, *, name: str, namespace: str, data: Mapping[str, str]) -> None:
    """Text files for pods."""
    metadata = {"name": name, "namespace": namespace}
    add(scope, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": dict(data)})


def role_for_group(
    scope: Construct, *, name: str, namespace: str, group: str, rules: Sequence[Mapping[str, Any]]
) -> None:
    """A Role and its binding to one group of people."""
    metadata = {"name": name, "namespace": namespace}
    api = "rbac.authorization.k8s.io"
    add(scope, {"apiVersion": f"{api}/v1", "kind": "Role", "metadata": metadata, "rules": list(rules)})
    add(
        scope,
        {
            "apiVersion": f"{api}/v1",
            "kind": "RoleBinding",
            "metadata": metadata,
            "roleRef": {"apiGroup": api, "kind": "Role", "name": name},
            "subjects": [{"apiGroup": api, "kind": "Group", "name": group}],
        },
    )


def disruption_budget(
    scope: Construct, *, name: str, namespace: str, pod_labels: Mapping[str, str], max_unavailable: int
) -> None:
    """How many of the pods with ``pod_labels`` a drain may take away at once."""
    add(
        scope,
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"maxUnavailable": max_unavailable, "selector": {"matchLabels": dict(pod_labels)}},
        },
    )


def static_claim(
    scope: Construct,
    *,
    name: str,
    namespace: str,
    volume: str,
    storage_class: str,
    size_gib: int,
    access_mode: str,
    source: Mapping[str, Any],
) -> None:
    """A persistent volume and the one claim that may use it."""
    capacity = {"storage": f"{size_gib}Gi"}
    add(
        scope,
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": volume},
            "spec": {
                "capacity": capacity,
                "accessModes": [access_mode],
                "persistentVolumeReclaimPolicy": "Retain",
                "storageClassName": storage_class,
                "volumeMode": "Filesystem",
                "claimRef": {"name": name, "namespace": namespace},
                **source,
            },
        },
    )
    add(
        scope,
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {
                "accessModes": [access_mode],
                "resources": {"requests": capacity},
                "storageClassName": storage_class,
                "volumeName": volume,
                "volumeMode": "Filesystem",
            },
        },
    )
