"""Blueprints become Kubernetes objects here, as plain data sorted into GitOps apps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cdk8s import App, Chart
from constructs import Construct

from k8s.charts.endpoint import add_endpoint
from k8s.charts.observability import add_observability, observability_notes
from k8s.charts.operator import add_operator
from k8s.charts.platform import add_platform
from k8s.rendered import RenderedApp, RenderedEnvironment
from lib.blueprint.model import Blueprint, Note


def render(blueprint: Blueprint) -> RenderedEnvironment:
    """Raises ValueError, worded for the user, for a value or a name that cannot be rendered."""
    scope = Construct(App(), blueprint.name)
    add_platform(scope, blueprint)
    add_operator(scope, blueprint)
    for plan in blueprint.endpoints:
        add_endpoint(scope, blueprint, plan)
    add_observability(scope, blueprint)
    charts = [child for child in scope.node.children if isinstance(child, Chart)]
    apps = tuple(
        RenderedApp(name=chart.node.id, objects=tuple(map(_name_first, _in_order(chart.to_json()))))
        for chart in sorted(charts, key=lambda chart: chart.node.id)
    )
    return RenderedEnvironment(name=blueprint.name, apps=apps, notes=tuple(_notes(blueprint)))


_FIRST = ("Namespace", "CustomResourceDefinition", "PriorityClass", "StorageClass", "ServiceAccount")


def _in_order(objects: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What others refer to comes first; the rest keeps the order in which its chart made it."""
    return sorted(
        objects, key=lambda item: _FIRST.index(item["kind"]) if item["kind"] in _FIRST else len(_FIRST)
    )


def _name_first(item: dict[str, Any]) -> dict[str, Any]:
    """cdk8s sorts metadata by key; a reader looks for the name first."""
    metadata = item["metadata"]
    first = {key: metadata[key] for key in ("name", "namespace") if key in metadata}
    return {**item, "metadata": {**first, **metadata}}


def _notes(blueprint: Blueprint) -> Iterable[Note]:
    """What the blueprint says about endpoints, and what an app holds less than one might expect."""
    explained = set()
    for note in blueprint.notes:
        section, _, rest = note.subject.partition(".")
        if section == "endpoints":
            explained.add(rest.partition(".")[0])
            yield note
    for plan in blueprint.endpoints:
        if plan.manifest is None and plan.name not in explained:
            yield Note(
                subject=f"endpoints.{plan.name}",
                message="left out of the manifests: a fact it needs is known only after deployment; "
                f"run `dpd outputs pull {blueprint.name}`",
            )
    yield from observability_notes(blueprint)
    if blueprint.operator.install == "helm":
        yield Note(
            subject="operator.install",
            message="the tree holds the operator's namespace; its Helm release is not rendered",
        )
