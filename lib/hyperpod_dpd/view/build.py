"""Views out of what was read: an environment gives one of itself and one of each endpoint it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint.models import geometry_of
from hyperpod_dpd.catalog.versions import OperatorRelease
from hyperpod_dpd.document import Path
from hyperpod_dpd.iec.argument_reading import parse_arguments
from hyperpod_dpd.iec.coercion import coerce
from hyperpod_dpd.sizing.errors import SizingError
from hyperpod_dpd.view.context import Context
from hyperpod_dpd.view.endpoint import EndpointView
from hyperpod_dpd.view.origin import DocumentOrigin, EnvironmentOrigin

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint, EndpointPlan
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.document import Document
    from hyperpod_dpd.view.crd import CrdView


def environment_endpoints(
    loaded: LoadedEnvironment, blueprint: Blueprint, *, crd: CrdView | None = None
) -> list[EndpointView]:
    """The endpoints of an environment, judged on the manifests that it would render."""
    views = []
    for plan in blueprint.endpoints:
        if plan.manifest is not None:
            views.append(_environment_endpoint(loaded, blueprint, plan, crd))
    return views


def _environment_endpoint(
    loaded: LoadedEnvironment, blueprint: Blueprint, plan: EndpointPlan, crd: CrdView | None
) -> EndpointView:
    raw = plan.whole()
    assert raw is not None
    manifest = raw
    if plan.patches:  # an override may have written anything anywhere
        manifest = coerce(raw)
    environment = loaded.environment
    endpoint = environment.endpoints[plan.name]
    image = endpoint.image or environment.images.worker
    inline = endpoint.model.geometry
    origin = EnvironmentOrigin(
        document=loaded.document,
        endpoint=plan.name,
        arguments=_argument_places(manifest),
        variables=tuple(v.get("name", "") for v in _worker(manifest).get("environmentVariables", [])),
        overrides=_override_places(plan),
    )
    context = Context(
        operator=OperatorRelease.parse(environment.operator.release),
        cluster=blueprint.cluster,
        network=blueprint.network,
        region=environment.region,
        production=environment.production,
        traffic=endpoint.traffic,
        objectives=endpoint.objectives,
        operations=environment.operations,
        observability=environment.observability,
        session_key=endpoint.routing.session_key,
        image_versions={k: v for k, v in image.versions.model_dump().items() if v is not None},
        autoscaling={
            name: role.autoscaling
            for name, role in (("prefill", endpoint.prefill), ("decode", endpoint.decode))
            if role.autoscaling is not None
        },
        geometry=_geometry(loaded, plan.name),
        model_key=plan.model.key,
        crd=crd,
        parameters_billion=inline.parameters_billion if inline else None,
        mixture_of_experts=inline.mixture_of_experts if inline else None,
        tls_bucket=_operator_tls_bucket(blueprint),
    )
    return EndpointView(manifest, origin=origin, context=context, raw=raw)


def _worker(manifest: dict[str, Any]) -> dict[str, Any]:
    worker: dict[str, Any] = manifest.get("spec", {}).get("worker", {})
    return worker


def _override_places(plan: EndpointPlan) -> tuple[tuple[tuple[str, ...], Path], ...]:
    """What each operation of an override sets, and where the document says so."""
    places: list[tuple[tuple[str, ...], Path]] = []
    for patch in plan.patches:
        for number, operation in enumerate(patch.operations):
            target = tuple(t.replace("~1", "/").replace("~0", "~") for t in operation["path"].split("/")[1:])
            places.append((target, (*patch.place, "patch", number)))
    return tuple(places)


def _operator_tls_bucket(blueprint: Blueprint) -> str | None:
    """The add-on is given the bucket; a Helm install is not ours, and what it says is not known here."""
    operator = blueprint.operator
    by_addon = operator.install == "addon" and operator.addon_version is not None
    return blueprint.buckets.tls if by_addon else None


def _geometry(loaded: LoadedEnvironment, endpoint: str) -> Any:
    try:
        return geometry_of(loaded, loaded.environment.endpoints[endpoint].model)
    except SizingError:
        return None


def _argument_places(manifest: dict[str, Any]) -> dict[Path, str]:
    places: dict[Path, str] = {}
    lists: list[tuple[Path, Any]] = [(("spec", "worker", "args"), _worker(manifest).get("args", []))]
    for key in ("prefillSpec", "decodingSpec"):
        path: Path = ("spec", "pdSpec", key, "args")
        lists.append((path, manifest.get("spec", {}).get("pdSpec", {}).get(key, {}).get("args", [])))
    for path, items in lists:
        for argument in parse_arguments(items, path):
            places[argument.path] = argument.flag.removeprefix("--")
            places[argument.value_path] = argument.flag.removeprefix("--")
    return places


def manifest_endpoint(document: Document, base: Path, value: Any, context: Context) -> EndpointView:
    """An InferenceEndpointConfig as read from a file, with wrong types mended so that every rule can run."""
    return EndpointView(coerce(value), origin=DocumentOrigin(document, base), context=context, raw=value)
