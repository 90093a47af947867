"""The custom resources of Flux that we emit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from constructs import Construct

from k8s.api.manifest import add

_COMMIT = re.compile(r"[0-9a-f]{40}")


def git_repository(
    scope: Construct, *, name: str, namespace: str, url: str, revision: str, credentials_secret: str | None
) -> None:
    """A repository at a branch, a full reference name, or a commit; credentials by name of a Secret."""
    spec: dict[str, Any] = {"interval": "1m", "url": url, "ref": _reference(revision)}
    if credentials_secret:
        spec["secretRef"] = {"name": credentials_secret}
    _add(scope, "source.toolkit.fluxcd.io/v1", "GitRepository", name, namespace, spec)


def kustomization(
    scope: Construct,
    *,
    name: str,
    namespace: str,
    repository: str,
    path: str,
    depends_on: Sequence[str],
    prune: bool,
    wait: bool,
) -> None:
    """One folder that Flux keeps applied once those it depends on are ready."""
    spec: dict[str, Any] = {
        "interval": "10m",
        "retryInterval": "1m",
        "timeout": "30m",
        "path": f"./{path}",
        "prune": prune,
        "wait": wait,
        "sourceRef": {"kind": "GitRepository", "name": repository},
    }
    if depends_on:
        spec["dependsOn"] = [{"name": each} for each in depends_on]
    _add(scope, "kustomize.toolkit.fluxcd.io/v1", "Kustomization", name, namespace, spec)


def helm_release(
    scope: Construct,
    *,
    name: str,
    namespace: str,
    repository: str,
    chart: str,
    release: str,
    target_namespace: str,
    values: Mapping[str, Any],
) -> None:
    """A chart of a Git repository; a new commit brings its CRDs before anything else."""
    spec = {
        "interval": "10m",
        "timeout": "30m",
        "releaseName": release,
        "targetNamespace": target_namespace,
        "chart": {
            "spec": {
                "chart": f"./{chart}",
                "reconcileStrategy": "Revision",
                "sourceRef": {"kind": "GitRepository", "name": repository},
            }
        },
        "install": {"crds": "Create", "remediation": {"retries": 3}},
        "upgrade": {"crds": "CreateReplace", "remediation": {"retries": 3}},
        "values": dict(values),
    }
    _add(scope, "helm.toolkit.fluxcd.io/v2", "HelmRelease", name, namespace, spec)


def _add(scope: Construct, api: str, kind: str, name: str, namespace: str, spec: Mapping[str, Any]) -> None:
    metadata = {"name": name, "namespace": namespace}
    add(scope, {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": dict(spec)})


def _reference(revision: str) -> dict[str, str]:
    if _COMMIT.fullmatch(revision):
        return {"commit": revision}
    return {"name": revision} if revision.startswith("refs/") else {"branch": revision}
