"""Which images somebody has to copy into the environment's own repositories, from where and to where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.image_tags import image_references
from hyperpod_dpd.blueprint.registry import private_copy, registry_kind
from hyperpod_dpd.catalog import tools
from hyperpod_dpd.catalog.worker_images import ImageReference, parse_reference

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment

_DIGEST_DIGITS = 16


class NoMirror(ValueError):
    """An environment whose nodes pull from no repositories of its own; the text says what to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """One image to copy: all its architectures, under the same digest.

    ``source`` is named by tag, ``target`` too; ``digest`` is None where neither document nor lock tells it.
    """

    source: ImageReference
    target: ImageReference
    digest: str | None


def copies(
    loaded: LoadedEnvironment, *, source: str | None = None, target: str | None = None
) -> tuple[Copy, ...]:
    """Every image that pods of the environment pull from its mirror, sorted by source.

    ``target`` is a registry that the images are carried in, in place of the account's; ``source`` is such a registry to
    take them from. Raises NoMirror where the environment has no mirror.
    """
    if registry_kind(loaded) != "mirror":
        raise NoMirror(
            f"images.registry of {loaded.name} is '{registry_kind(loaded)}', so there is no mirror to fill; "
            "set images.registry: mirror"
        )
    found = {}
    for reference in _references(loaded):
        copy = private_copy(loaded, reference)
        if copy is None:
            continue
        there = _tagged(parse_reference(copy))
        origin = parse_reference(reference)
        found[str(there)] = Copy(
            source=replace(there, registry=source) if source else replace(origin, digest=None),
            target=replace(there, registry=target) if target else there,
            digest=origin.digest,
        )
    return tuple(sorted(found.values(), key=lambda each: str(each.source)))


def _references(loaded: LoadedEnvironment) -> list[str]:
    needed = image_references(loaded)
    if loaded.environment.cluster.dependencies.install:
        needed = [*needed, tools.image("nvidia_device_plugin").reference]
    return needed


def _tagged(image: ImageReference) -> ImageReference:
    """An image without a tag gets one of its digest: repositories throw untagged images away."""
    tag = image.tag
    if tag is None and image.digest is not None:
        tag = image.digest.replace(":", "-")[: len("sha256-") + _DIGEST_DIGITS]
    return replace(image, tag=tag, digest=None)
