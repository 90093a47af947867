"""Worker images: which are supported, and what is inside by the documentation and by the build history."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hyperpod_dpd.catalog.data_files import Fact, Source, document, fact, record
from hyperpod_dpd.catalog.versions import ComponentVersion

_NAME = "worker_images"
_DIGEST = re.compile(r"[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,}")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_PART = r"[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*"
HOST_PATTERN = rf"{_LABEL}(?:\.{_LABEL})*(?::[0-9]{{1,5}})?"
PATH_PATTERN = rf"{_PART}(?:/{_PART})*"
TAG_PATTERN = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}"
_HOST, _PATH, _TAG = re.compile(HOST_PATTERN), re.compile(PATH_PATTERN), re.compile(TAG_PATTERN)
_RELEASE_TAG = re.compile(r"v?(\d+\.\d+\.\d+)(?:\.?post\d+)?(?:-cu\d+)?")
PUBLIC_ECR = "public.ecr.aws"
DOCKER_HUB = "docker.io"
DOCKER_HUB_API = "registry-1.docker.io"
DOCKER_HUB_INDEX = "index.docker.io"
DOCKER_HUB_LOGIN = f"https://{DOCKER_HUB_INDEX}/v1/"
"""Docker Hub in a reference, the host that answers, its older name, and its key in docker's configuration."""
_PRIVATE_ECR = re.compile(
    r"(?P<account>\d{12})\.dkr\.ecr(-fips)?\.(?P<region>[a-z0-9-]+)\.amazonaws\.com(\.cn)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageReference:
    """A container image reference taken apart: registry/repository[:tag][@digest]."""

    registry: str
    repository: str
    tag: str | None
    digest: str | None

    @property
    def is_docker_hub(self) -> bool:
        return self.registry == DOCKER_HUB

    @property
    def is_mutable(self) -> bool:
        """True without a digest: the content behind the name can change."""
        return self.digest is None

    def __str__(self) -> str:
        text = f"{self.registry}/{self.repository}"
        text += f":{self.tag}" if self.tag else ""
        return text + (f"@{self.digest}" if self.digest else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Software versions inside an image by one source; None where that source is silent."""

    source: Source
    vllm: ComponentVersion | None = None
    lmcache: ComponentVersion | None = None
    nixl: ComponentVersion | None = None
    cuda: ComponentVersion | None = None
    efa_installer: ComponentVersion | None = None
    lmcache_is_minimum: bool = False
    nixl_is_minimum: bool = False
    date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageKind:
    """A line of images that belong together by their repository and tag."""

    kind: str
    repositories: tuple[str, ...]
    tag_prefix: str
    lmcache_inside: bool
    """Whether images of this line bring LMCache, NIXL and the libfabric plugin."""
    source: Source
    engine: str | None = None
    """"vllm" where the arguments are those of ``vllm serve``."""
    tag_names: str | None = None
    """The component whose release a tag such as v0.4.2 is, where the project names its images so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerImage:
    """One known image; `stated` and `built` are kept apart because they disagree."""

    key: str
    kind: str
    reference: str
    tag: str
    supported: bool
    source: Source
    stated: Contents | None = None
    built: Contents | None = None
    note: str = ""
    unconfirmed: frozenset[str] = frozenset()


def is_private_ecr(registry: str) -> bool:
    """Whether a registry's host is the ECR of an AWS account."""
    return private_ecr(registry) is not None


def private_ecr(registry: str) -> tuple[str, str] | None:
    """Account and Region of a registry's host that is the ECR of an AWS account, or None."""
    found = _PRIVATE_ECR.fullmatch(registry)
    return (found["account"], found["region"]) if found else None


def parse_reference(text: str) -> ImageReference:
    """Takes an image reference apart and completes Docker Hub's short names.

    Raises ValueError when it is none (spaces, upper case in the path, an unexpanded placeholder).
    """
    rest, at, digest = text.partition("@")
    if at and not _DIGEST.fullmatch(digest):
        raise ValueError(
            f'"{text}" is not an image reference: "{digest}" is not a digest such as sha256:<64 hex digits>'
        )
    head, colon, tag = rest.rpartition(":")
    if not colon or "/" in tag:
        head, tag = rest, ""
    elif not _TAG.fullmatch(tag):
        raise ValueError(f'"{text}" is not an image reference: "{tag}" is not a tag')
    first, slash, path = head.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        registry, repository = first, path
    else:
        registry, repository = DOCKER_HUB, head if slash else f"library/{head}"
    if registry in (DOCKER_HUB_INDEX, DOCKER_HUB_API):
        registry = DOCKER_HUB
    if not _HOST.fullmatch(registry):
        raise ValueError(f'"{text}" is not an image reference: "{registry}" is not the host of a registry')
    if not _PATH.fullmatch(repository):
        raise ValueError(f'"{text}" is not an image reference: "{repository}" is not a repository path')
    return ImageReference(registry=registry, repository=repository, tag=tag or None, digest=digest or None)


@cache
def all() -> tuple[WorkerImage, ...]:
    """Every known image, the supported ones first."""
    return tuple(_image(entry) for entry in document(_NAME)["images"])


@cache
def supported() -> tuple[WorkerImage, ...]:
    """The images that AWS lists for DPD."""
    return tuple(image for image in all() if image.supported)


@cache
def kinds() -> tuple[ImageKind, ...]:
    """The lines of images that are told apart, in the order in which they are tried."""
    return tuple(record(ImageKind, _NAME, entry) for entry in document(_NAME)["kinds"])


def kind_of(reference: str) -> ImageKind | None:
    """The line an image belongs to by repository path and tag, mirrors included; None when it is unknown.

    A digest without a tag tells no line where a repository holds several. Raises ValueError when `reference` is no
    image reference.
    """
    parsed = parse_reference(reference)
    lines = [
        entry for entry in kinds() if any(_ends_with(parsed.repository, path) for path in entry.repositories)
    ]
    if parsed.tag is None and parsed.digest is not None and len(lines) > 1:
        return None
    return next((entry for entry in lines if (parsed.tag or "").startswith(entry.tag_prefix)), None)


def find(reference: str) -> WorkerImage | None:
    """The known image behind a reference, at any registry or mirror; None when its contents are unknown.

    A reference without a tag names no known content. Raises ValueError when it is no image reference.
    """
    parsed = parse_reference(reference)
    kind = kind_of(reference)
    if kind is None or parsed.tag is None:
        return None
    return next((image for image in all() if image.kind == kind.kind and image.tag == parsed.tag), None)


def version_by_tag(reference: ImageReference, kind: ImageKind, component: str) -> ComponentVersion | None:
    """What the tag says of ``component``, for a kind whose tags are its releases; else None."""
    found = _RELEASE_TAG.fullmatch(reference.tag or "") if kind.tag_names == component else None
    return ComponentVersion.parse(found[1]) if found else None


def component_floor(name: str) -> Fact:
    """A limit on a version inside an image (lmcache, nixl, kvaware_vllm, ...); the value is a string."""
    return fact(_NAME, document(_NAME)["component_floors"][name])


def component_floors() -> Mapping[str, Fact]:
    """All limits on versions inside an image by name."""
    return {name: component_floor(name) for name in document(_NAME)["component_floors"]}


def _ends_with(repository: str, path: str) -> bool:
    return repository == path or repository.endswith(f"/{path}")


def _image(entry: Mapping[str, Any]) -> WorkerImage:
    contents = {side: _contents(entry[side]) for side in ("stated", "built") if side in entry}
    return record(WorkerImage, _NAME, entry, **contents)


def _contents(entry: Mapping[str, Any]) -> Contents:
    names = ("vllm", "lmcache", "nixl", "cuda", "efa_installer")
    versions = {name: ComponentVersion.parse(entry[name]) for name in names if name in entry}
    return record(Contents, _NAME, entry, **versions)
