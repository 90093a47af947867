"""Where each object lies in the GitOps tree, and the text of every file there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from hyperpod_dpd.blueprint.source import mark_lines, version
from hyperpod_dpd.document import dump_yaml
from k8s.rendered import RenderedApp, RenderedEnvironment

KUSTOMIZATION = "kustomization.yaml"
EVERYTHING = "all"
"""Folder for those without a GitOps controller: `kubectl apply -k` of every app at once, in order."""

_FILE_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")


def files(environment: RenderedEnvironment) -> dict[str, str]:
    """Text by path relative to the environment's folder, ``<app>/<file>``; sorted by path.

    Raises ValueError when an object has no usable name, or when two objects are the same one.
    """
    _refuse_twins(environment)
    tree: dict[str, str] = {}
    mark = mark_lines(environment.name, environment.source_digest, version())
    for app in environment.apps:
        named = dict(zip(file_names(app.objects), app.objects, strict=True))
        for name, item in named.items():
            tree[f"{app.name}/{name}"] = dump_yaml(item)
        tree[f"{app.name}/{KUSTOMIZATION}"] = _kustomization(mark, list(named))
    if inner := [app for app in environment.apps if not app.name.startswith("delivery")]:
        folders = [f"../{app.name}" for app in sorted(inner, key=lambda app: (app.wave, app.name))]
        tree[f"{EVERYTHING}/{KUSTOMIZATION}"] = _kustomization(mark, folders)
    return dict(sorted(tree.items()))


def stream(environment: RenderedEnvironment) -> str:
    """Every object of the environment as one multi-document text, apps and objects in order."""
    return "".join(f"---\n{dump_yaml(item)}" for app in environment.apps for item in app.objects)


def file_names(objects: Sequence[dict[str, Any]]) -> list[str]:
    """``<kind>-<name>.yaml``, with the namespace in between only where two would collide."""
    short = [_stem(item, with_namespace=False) for item in objects]
    taken = Counter(short)
    stems = [
        stem if taken[stem] == 1 else _stem(item, with_namespace=True)
        for stem, item in zip(short, objects, strict=True)
    ]
    taken = Counter(stems)
    return [
        f"{stem}.yaml" if taken[stem] == 1 else f"{stem}-{_digest(item)}.yaml"
        for stem, item in zip(stems, objects, strict=True)
    ]


def _stem(item: dict[str, Any], *, with_namespace: bool) -> str:
    metadata = item["metadata"]
    parts = [item["kind"].lower(), metadata["name"]]
    if with_namespace and "namespace" in metadata:
        parts.insert(1, metadata["namespace"])
    stem = "-".join(parts)
    if not _FILE_NAME.fullmatch(stem):
        raise ValueError(
            f"{item['kind']} {metadata['name']!r}: the name cannot be a file's name; "
            "use lower-case letters, digits, '-' and '.'"
        )
    return stem


def _identity(item: dict[str, Any]) -> tuple[str, str, str, str]:
    group = item["apiVersion"].rpartition("/")[0]
    metadata = item["metadata"]
    return (group, item["kind"], metadata.get("namespace", ""), metadata["name"])


def _digest(item: dict[str, Any]) -> str:
    return sha256("\0".join(_identity(item)).encode()).hexdigest()[:8]


def _refuse_twins(environment: RenderedEnvironment) -> None:
    seen: dict[tuple[str, str, str, str], RenderedApp] = {}
    for app in environment.apps:
        for item in app.objects:
            identity = _identity(item)
            if other := seen.get(identity):
                _, kind, namespace, name = identity
                raise ValueError(
                    f"{kind} {namespace}/{name} is in app {other.name} and again in app {app.name}; "
                    "give one of them another name or namespace"
                )
            seen[identity] = app


def _kustomization(mark: str, resources: list[str]) -> str:
    body = dump_yaml(
        {
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "sortOptions": {"order": "fifo"},
            "resources": resources,
        }
    )
    return f"{mark}{body}"
