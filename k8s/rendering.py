"""Blueprints become Kubernetes objects here, as plain data sorted into GitOps apps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.apps import PatchPlan
from hyperpod_dpd.blueprint.model import Blueprint, Note
from hyperpod_dpd.blueprint.order import app_wave
from hyperpod_dpd.blueprint.patching import PatchFault, patched
from hyperpod_dpd.config.renderable import refuse_what_javascript_changes, refuse_what_no_metadata_holds
from hyperpod_dpd.iec.endpoint import KIND
from hyperpod_dpd.kinds.judging import object_problems
from k8s.charts.app_charts import AppCharts
from k8s.charts.benchmark import add_benchmark
from k8s.charts.delivery import add_delivery
from k8s.charts.dependencies import add_dependencies
from k8s.charts.endpoint import add_endpoint
from k8s.charts.images import add_images
from k8s.charts.observability import add_observability, observability_notes
from k8s.charts.operator import add_operator
from k8s.charts.platform import add_platform
from k8s.charts.routes import add_routes
from k8s.charts.weights import add_weights
from k8s.rendered import RenderedApp, RenderedEnvironment


def render(blueprint: Blueprint) -> RenderedEnvironment:
    """Raises ValueError, worded for the user, for a value, a name or an override that cannot be rendered."""
    charts = AppCharts(blueprint.name)
    add_dependencies(charts, blueprint)
    add_platform(charts, blueprint)
    add_operator(charts, blueprint)
    add_images(charts, blueprint)
    add_weights(charts, blueprint)
    add_routes(charts, blueprint)
    for plan in blueprint.endpoints:
        add_endpoint(charts, blueprint, plan)
    add_observability(charts, blueprint)
    for benchmark in blueprint.apps.benchmarks:
        add_benchmark(charts, blueprint, benchmark)
    add_delivery(charts, blueprint)
    apps = tuple(
        RenderedApp(
            name=app,
            wave=app_wave(app),
            objects=tuple(_finished(item, app, blueprint) for item in _in_order(chart.to_json())),
        )
        for app, chart in sorted(charts.made.items())
    )
    _refuse_idle_patches(blueprint.apps.patches, apps)
    return RenderedEnvironment(
        name=blueprint.name,
        apps=apps,
        notes=tuple(_notes(blueprint)),
        source_digest=blueprint.source_digest,
    )


def _finished(item: dict[str, Any], app: str, blueprint: Blueprint) -> dict[str, Any]:
    """With overrides (those of endpoints are in already), its wave, and the name before other metadata."""
    if item["kind"] != KIND:
        item = _overridden(item, blueprint)
    metadata = item["metadata"]
    annotations = metadata.get("annotations", {})
    wave = {names.WAVE_ANNOTATION: str(app_wave(app))}
    first = {key: metadata[key] for key in ("name", "namespace") if key in metadata}
    return {**item, "metadata": {**first, **metadata, "annotations": {**wave, **annotations}}}


def _overridden(item: dict[str, Any], blueprint: Blueprint) -> dict[str, Any]:
    """Raises ValueError for an override that does not fit, or after which no API server would take the object."""
    try:
        result = patched(item, blueprint.apps.patches)
    except PatchFault as error:
        raise ValueError(str(error)) from None
    if result is not item:
        refuse_what_javascript_changes(result)
        refuse_what_no_metadata_holds(result)
        for problem in object_problems(result, blueprint.cluster.kubernetes_version) or ():
            name = f"{result['kind']} {result['metadata']['name']}"
            raise ValueError(f"{name}: an override makes it what Kubernetes refuses: {problem.message}")
    return result


def _refuse_idle_patches(patches: tuple[PatchPlan, ...], apps: tuple[RenderedApp, ...]) -> None:
    """Raises ValueError for an override whose object is not rendered: it would be lost without a word."""
    for patch in patches:
        if not any(patch.is_for(item) for app in apps for item in app.objects):
            raise ValueError(
                f"overrides: no {patch.title} is rendered; correct kind, name or namespace, or remove it"
            )


_FIRST = (
    "Namespace",
    "CustomResourceDefinition",
    "PriorityClass",
    "StorageClass",
    "PersistentVolume",
    "ServiceAccount",
    "Role",
    "ConfigMap",
)


def _in_order(objects: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What others refer to comes first; the rest keeps the order in which its chart made it."""
    return sorted(
        objects, key=lambda item: _FIRST.index(item["kind"]) if item["kind"] in _FIRST else len(_FIRST)
    )


def _notes(blueprint: Blueprint) -> Iterable[Note]:
    """What the blueprint says about endpoints, and what an app holds less than one might expect."""
    explained = set()
    for note in (*blueprint.notes, *blueprint.apps.notes):
        section, _, rest = note.subject.partition(".")
        if section == "endpoints" and "." not in rest:
            explained.add(rest)
        if section == "endpoints" or note.subject == "operator.install":
            yield note
    for plan in blueprint.endpoints:
        if plan.manifest is None and plan.name not in explained:
            yield Note(
                subject=f"endpoints.{plan.name}",
                message="left out of the manifests: a fact it needs is known only after deployment; "
                f"run `dpd outputs pull {blueprint.name}`",
            )
    yield from observability_notes(blueprint)
    if blueprint.apps.chart and blueprint.apps.delivery.kind == "kubectl":
        yield Note(
            subject="operator.install",
            message="kubectl installs no chart: `dpd runbook install-operator "
            f"{blueprint.name}` has the command and its values",
        )
    if blueprint.apps.dependencies and blueprint.apps.delivery.kind == "kubectl":
        yield Note(
            subject="cluster.dependencies",
            message="kubectl installs no chart, and HyperPod's nodes need one before they join: "
            f"`dpd runbook install-dependencies {blueprint.name}`",
        )
