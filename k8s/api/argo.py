"""The custom resources of Argo CD that we emit, and the Secret by which it knows a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from constructs import Construct

from k8s.api.manifest import add

API_VERSION = "argoproj.io/v1alpha1"
IN_CLUSTER = "https://kubernetes.default.svc"


def cluster_secret(scope: Construct, *, name: str, namespace: str, server: str, project: str) -> None:
    """Registers a cluster with the managed capability: its ARN stands for it, and no credential is needed."""
    add(
        scope,
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {
                "name": name,
                "namespace": namespace,
                "labels": {"argocd.argoproj.io/secret-type": "cluster"},
            },
            "stringData": {"name": name, "server": server, "project": project},
        },
    )


def project(
    scope: Construct, *, name: str, namespace: str, repositories: list[str], server: str, description: str
) -> None:
    """Limits Applications to our repositories and to this cluster."""
    add(
        scope,
        {
            "apiVersion": API_VERSION,
            "kind": "AppProject",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {
                "description": description,
                "sourceRepos": repositories,
                "destinations": [{"server": server, "namespace": "*"}],
                "clusterResourceWhitelist": [{"group": "*", "kind": "*"}],
            },
        },
    )


def application(
    scope: Construct,
    *,
    name: str,
    namespace: str,
    project: str,
    wave: int,
    source: Mapping[str, Any],
    server: str,
    target_namespace: str | None,
    prune: bool,
    self_heal: bool,
) -> None:
    """One folder or chart that Argo CD keeps applied, server side, after those of lower waves."""
    destination = {"server": server, **({"namespace": target_namespace} if target_namespace else {})}
    add(
        scope,
        {
            "apiVersion": API_VERSION,
            "kind": "Application",
            "metadata": {
                "name": name,
                "namespace": namespace,
                "annotations": {"argocd.argoproj.io/sync-wave": str(wave)},
            },
            "spec": {
                "project": project,
                "source": dict(source),
                "destination": destination,
                "syncPolicy": {
                    "automated": {"prune": prune, "selfHeal": self_heal},
                    "syncOptions": ["ServerSideApply=true", "ApplyOutOfSyncOnly=true", "PruneLast=true"],
                    "retry": {
                        "limit": 10,
                        "backoff": {"duration": "10s", "factor": 2, "maxDuration": "5m"},
                    },
                },
            },
        },
    )
