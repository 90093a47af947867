"""The images of an environment as the world names them, and those of them that name a tag and no digest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.catalog.worker_images import parse_reference
from hyperpod_dpd.config.locks import Locks

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment


def image_references(loaded: LoadedEnvironment) -> list[str]:
    """Every image that a pod of ours runs, named at its origin whatever registry nodes pull it from; sorted."""
    environment = loaded.environment
    public = environment.images.model_copy(update={"registry": "public"})
    blueprint = resolve(replace(loaded, environment=environment.model_copy(update={"images": public})))
    apps, watch = blueprint.apps, blueprint.observability
    images = {endpoint.image for endpoint in blueprint.endpoints}
    images |= {plan.image for plan in apps.staging} | {plan.image for plan in apps.benchmarks}
    if watch is not None and watch.enabled and (watch.log_exporter or watch.canary):
        images.add(watch.log_exporter_image)
    return sorted(images)


def tagged_images(loaded: LoadedEnvironment) -> list[str]:
    """Every reference that a pod of this environment would pull by tag, were there no lock; sorted.

    The lock names them at their origin: a mirror and a cache hold the same bytes under the same digest.
    """
    found = image_references(replace(loaded, locks=Locks()))
    return [image for image in found if parse_reference(image).digest is None]
