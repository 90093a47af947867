"""The worker image of an environment and the library versions its user vouches for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from hyperpod_dpd.catalog.worker_images import PATH_PATTERN, TAG_PATTERN, parse_reference
from hyperpod_dpd.config.base import Digest, Section

_REGISTRY = r"([A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:[0-9]+)?|[A-Za-z0-9-]+:[0-9]+|localhost)"


def _reference(text: str) -> str:
    parse_reference(text)
    return text


ImageRepository = Annotated[
    str,
    Field(
        pattern=rf"^({_REGISTRY}/)?{PATH_PATTERN}$",
        max_length=255,
        examples=["public.ecr.aws/deep-learning-containers/vllm"],
    ),
]
ImageTag = Annotated[str, Field(pattern=f"^{TAG_PATTERN}$", examples=["server-hyperpod-cuda-v1.1"])]
ImageReference = Annotated[
    str,
    Field(max_length=512, examples=["public.ecr.aws/docker/library/python:3.12-slim"]),
    AfterValidator(_reference),
]
_VERSION = r"^v?[0-9]+(\.[0-9]+)*(\.?(dev|rc)[0-9]+)?(\+\S+)?$"


class ImageVersions(Section):
    """What the image holds, when the user knows better than the catalogue."""

    vllm: str | None = Field(None, pattern=_VERSION, description="vLLM in the image.")
    lmcache: str | None = Field(None, pattern=_VERSION, description="LMCache in the image.")
    nixl: str | None = Field(None, pattern=_VERSION, description="NIXL in the image.")
    libfabric: str | None = Field(None, pattern=_VERSION, description="libfabric in the image.")


class WorkerImage(Section):
    """One image for both roles; the digest, once pinned, is what is deployed."""

    repository: ImageRepository | None = Field(
        None, description="Without tag. Default: the catalogue's first choice."
    )
    tag: ImageTag | None = Field(None, description="Tag of the image.")
    digest: Digest | None = Field(None, description="Digest of the image, sha256 and 64 hex digits.")
    versions: ImageVersions = Field(
        ImageVersions(), description="What the image holds, where its tag does not say."
    )


class ToolImage(Section):
    """The image of one of our Jobs. Default: the catalogue's."""

    repository: ImageRepository | None = Field(None, description="Without tag.")
    tag: ImageTag | None = Field(None, description="Tag of the image.")
    digest: Digest | None = Field(None, description="Digest of the image, sha256 and 64 hex digits.")


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
        pattern=r"^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:ecr-pullthroughcache/[A-Za-z0-9/_+=.@-]+$",
        description="Secret with Docker Hub credentials, without which ECR caches nothing from there.",
    )
    worker: WorkerImage = Field(WorkerImage(), description="Image of prefill and decode workers.")
    staging: ToolImage = Field(ToolImage(), description="Image of the Job that stages weights.")
    benchmark: ToolImage = Field(ToolImage(), description="Image of the benchmark Job.")
