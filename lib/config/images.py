"""The worker image of an environment and the library versions its user vouches for."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lib.config.base import Digest, Section

_VERSION = r"^v?\d+(\.\d+)*(\.?(dev|rc)\d+)?(\+\S+)?$"


class ImageVersions(Section):
    """What the image holds, when the user knows better than the catalogue."""

    vllm: str | None = Field(None, pattern=_VERSION)
    lmcache: str | None = Field(None, pattern=_VERSION)
    nixl: str | None = Field(None, pattern=_VERSION)
    libfabric: str | None = Field(None, pattern=_VERSION)


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
    """Images of the environment, and the registry that its nodes pull them from."""

    registry: Literal["public", "pull-through", "mirror"] | None = Field(
        None,
        description="public: as the reference says. pull-through: ECR caches on first pull (needs a way out). "
        "mirror: repositories of the environment that somebody copies into. Default: public, and mirror in a "
        "closed network.",
    )
    docker_hub_secret_arn: str | None = Field(
        None,
        pattern=r"^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:ecr-pullthroughcache/.+$",
        description="Secret with Docker Hub credentials, without which ECR caches nothing from there.",
    )
    worker: WorkerImage = WorkerImage()
    staging: ToolImage = ToolImage()
    benchmark: ToolImage = ToolImage()
