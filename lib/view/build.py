"""Views out of what was read: an environment gives one of itself and one of each endpoint it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lib.document import Path
from lib.iec.argument_reading import parse_arguments
from lib.view.context import Context
from lib.view.endpoint import EndpointView
from lib.view.origin import DocumentOrigin, EnvironmentOrigin

if TYPE_CHECKING:
    from lib.blueprint.model import Blueprint, EndpointPlan
    from lib.config import LoadedEnvironment
    from lib.document import Document


def environment_endpoints(loaded: LoadedEnvironment, blueprint: Blueprint) -> list[EndpointView]:
    """The endpoints of an environment, judged on the manifests that it would render."""
    views = []
    for plan in blueprint.endpoints:
        if plan.manifest is not None:
            views.append(_environment_endpoint(loaded, blueprint, plan))
    return views


def _environment_endpoint(
    loaded: LoadedEnvironment, blueprint: Blueprint, plan: EndpointPlan
) -> EndpointView:
    from lib.catalog.versions import OperatorRelease

    assert plan.manifest is not None
    manifest = plan.whole()
    assert manifest is not None
    environment = loaded.environment
    endpoint = environment.endpoints[plan.name]
    image = endpoint.image or environment.images.worker
    origin = EnvironmentOrigin(
        document=loaded.document,
        endpoint=plan.name,
        arguments=_argument_places(manifest),
        variables=tuple(v["name"] for v in manifest["spec"]["worker"]["environmentVariables"]),
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
        session_key=endpoint.routing.session_key,
        image_versions={k: v for k, v in image.versions.model_dump().items() if v is not None},
        geometry=_geometry(loaded, plan.name),
        model_key=plan.model.key,
    )
    return EndpointView(manifest, origin=origin, context=context)


def _geometry(loaded: LoadedEnvironment, endpoint: str) -> Any:
    from lib.blueprint.models import geometry_of
    from lib.sizing.errors import SizingError

    try:
        return geometry_of(loaded, loaded.environment.endpoints[endpoint].model)
    except SizingError:
        return None


def _argument_places(manifest: dict[str, Any]) -> dict[Path, str]:
    places: dict[Path, str] = {}
    lists: list[tuple[Path, Any]] = [(("spec", "worker", "args"), manifest["spec"]["worker"]["args"])]
    for key in ("prefillSpec", "decodingSpec"):
        path: Path = ("spec", "pdSpec", key, "args")
        lists.append((path, manifest["spec"].get("pdSpec", {}).get(key, {}).get("args", [])))
    for path, items in lists:
        for argument in parse_arguments(items, path):
            places[argument.path] = argument.flag.removeprefix("--")
            places[argument.value_path] = argument.flag.removeprefix("--")
    return places


def manifest_endpoint(document: Document, base: Path, value: Any, context: Context) -> EndpointView:
    """An InferenceEndpointConfig as read from a file, with wrong types mended so that every rule can run."""
    from lib.iec.coercion import coerce

    return EndpointView(coerce(value), origin=DocumentOrigin(document, base), context=context, raw=value)
