"""The objects of the canary: its program, one pod that may only ask, and the Service it is scraped through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

_USER = 65534
_PROGRAM = "dpd_canary.py"


def canary(
    *,
    name: str,
    namespace: str,
    image: str,
    program: str,
    environment: Mapping[str, str],
    nodes: Mapping[str, str],
    port: int,
) -> Iterator[dict[str, Any]]:
    """One pod: two of them would learn two references."""
    labels = {"app.kubernetes.io/name": name}
    meta = {"name": name, "namespace": namespace, "labels": labels}
    yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {_PROGRAM: program}}
    yield {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": meta,
        "spec": {
            "replicas": 1,
            "strategy": {"type": "Recreate"},
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {
                    "labels": labels,
                    "annotations": {"dpd.hyperpod/program": sha256(program.encode()).hexdigest()[:16]},
                },
                "spec": {
                    "automountServiceAccountToken": False,
                    **({"nodeSelector": dict(nodes)} if nodes else {}),
                    "securityContext": {
                        "runAsNonRoot": True,
                        "runAsUser": _USER,
                        "runAsGroup": _USER,
                        "fsGroup": _USER,
                        "seccompProfile": {"type": "RuntimeDefault"},
                    },
                    "containers": [_container(name, image, environment, port)],
                    "volumes": [
                        {"name": "program", "configMap": {"name": name}},
                        {"name": "references", "emptyDir": {"sizeLimit": "1Mi"}},
                    ],
                },
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


def _container(name: str, image: str, environment: Mapping[str, str], port: int) -> dict[str, Any]:
    return {
        "name": name,
        "image": image,
        "command": ["python", "-u", f"/program/{_PROGRAM}"],
        "env": [
            *({"name": key, "value": value} for key, value in sorted(environment.items())),
            {"name": "PYTHONDONTWRITEBYTECODE", "value": "1"},
        ],
        "ports": [{"name": "metrics", "containerPort": port, "protocol": "TCP"}],
        "readinessProbe": {"httpGet": {"path": "/metrics", "port": "metrics"}, "periodSeconds": 15},
        "resources": {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"memory": "256Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": "program", "mountPath": "/program", "readOnly": True},
            {"name": "references", "mountPath": "/references"},
        ],
    }
