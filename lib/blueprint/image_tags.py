"""The image references of an environment that name a tag and no digest: what `dpd images pin` resolves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lib.blueprint.resolve import resolve
from lib.catalog.worker_images import parse_reference
from lib.config.locks import Locks

if TYPE_CHECKING:
    from lib.config import LoadedEnvironment


def tagged_images(loaded: LoadedEnvironment) -> list[str]:
    """Every reference that a pod of this environment would pull by tag, were there no lock; sorted."""
    blueprint = resolve(replace(loaded, locks=Locks()))
    apps = blueprint.apps
    images = {endpoint.image for endpoint in blueprint.endpoints}
    images |= {plan.image for plan in apps.staging} | {plan.image for plan in apps.benchmarks}
    return sorted(image for image in images if parse_reference(image).digest is None)
