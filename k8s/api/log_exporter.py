"""The objects of the log exporter: its program, its rights, one pod, and the Service it is scraped through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

_RBAC = "rbac.authorization.k8s.io/v1"
_USER = 65534
_PROGRAM = "dpd_log_exporter.py"


def log_exporter(
    *,
    name: str,
    namespace: str,
    image: str,
    program: Mapping[str, str],
    targets: str,
    reads: Sequence[str],
    port: int,
) -> Iterator[dict[str, Any]]:
    """``reads`` are the namespaces whose pods' logs it may read, and nothing else of them."""
    labels = {"app.kubernetes.io/name": name}
    meta = {"name": name, "namespace": namespace, "labels": labels}
    yield {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": meta,
        "automountServiceAccountToken": False,
    }
    for other in reads:
        yield _role(name, other)
        yield _binding(name, namespace, other)
    yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": dict(program)}
    yield {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": meta,
        "spec": {
            "replicas": 1,
            # Two of them would count every line twice.
            "strategy": {"type": "Recreate"},
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {
                    "labels": labels,
                    "annotations": {
                        "dpd.hyperpod/program": sha256("".join(program.values()).encode()).hexdigest()[:16]
                    },
                },
                "spec": _pod(name, image, targets, port),
            },
        },
    }
    yield {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": meta,
        "spec": {
            "selector": labels,
            "ports": [{"name": "metrics", "port": port, "targetPort": "metrics", "protocol": "TCP"}],
        },
    }


def _role(name: str, namespace: str) -> dict[str, Any]:
    return {
        "apiVersion": _RBAC,
        "kind": "Role",
        "metadata": {"name": name, "namespace": namespace},
        "rules": [
            {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]},
            {"apiGroups": [""], "resources": ["pods/log"], "verbs": ["get"]},
        ],
    }


def _binding(name: str, own: str, namespace: str) -> dict[str, Any]:
    return {
        "apiVersion": _RBAC,
        "kind": "RoleBinding",
        "metadata": {"name": name, "namespace": namespace},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": own}],
    }


def _pod(name: str, image: str, targets: str, port: int) -> dict[str, Any]:
    return {
        "serviceAccountName": name,
        "automountServiceAccountToken": True,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "runAsGroup": _USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [
            {
                "name": name,
                "image": image,
                "command": ["python", "-u", f"/program/{_PROGRAM}"],
                "env": [
                    {"name": "DPD_TARGETS", "value": targets},
                    {"name": "DPD_PORT", "value": str(port)},
                    {"name": "PYTHONDONTWRITEBYTECODE", "value": "1"},
                ],
                "ports": [{"name": "metrics", "containerPort": port, "protocol": "TCP"}],
                "readinessProbe": {"httpGet": {"path": "/metrics", "port": "metrics"}, "periodSeconds": 15},
                "livenessProbe": {
                    "httpGet": {"path": "/metrics", "port": "metrics"},
                    "periodSeconds": 30,
                    "failureThreshold": 4,
                },
                "resources": {
                    "requests": {"cpu": "100m", "memory": "64Mi"},
                    "limits": {"memory": "256Mi"},
                },
                "securityContext": {
                    "allowPrivilegeEscalation": False,
                    "readOnlyRootFilesystem": True,
                    "capabilities": {"drop": ["ALL"]},
                },
                "volumeMounts": [{"name": "program", "mountPath": "/program", "readOnly": True}],
            }
        ],
        "volumes": [{"name": "program", "configMap": {"name": name}}],
    }
