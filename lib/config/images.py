"""The worker image of an environment and the library versions its user vouches for."""

from __future__ import annotations

from pydantic import Field

from lib.config.base import Digest, Section


class ImageVersions(Section):
    """What the image holds, when the user knows better than the catalogue."""

    vllm: str | None = None
    lmcache: str | None = None
    nixl: str | None = None
    libfabric: str | None = None


class WorkerImage(Section):
    """One image for both roles; the digest, once pinned, is what is deployed."""

    repository: str | None = Field(None, description="Without tag. Default: the catalogue's first choice.")
    tag: str | None = None
    digest: Digest | None = None
    versions: ImageVersions = ImageVersions()


class ToolImage(Section):
    """The image of one of our Jobs. Default: the catalogue's."""

    repository: str | None = Field(None, description="Without tag.")
    tag: str | None = None
    digest: Digest | None = None


class Images(Section):
    """Images of the environment."""

    worker: WorkerImage = WorkerImage()
    staging: ToolImage = ToolImage()
    benchmark: ToolImage = ToolImage()
