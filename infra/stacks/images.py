"""The environment's own registry of images, where nodes do not pull from public ones."""

from __future__ import annotations

from constructs import Construct

from hyperpod_dpd.blueprint.model import Blueprint
from infra.constructs.image_repositories import ImageRepositories
from infra.constructs.pull_through_cache import PullThroughCache
from infra.stacks.environment_stack import EnvironmentStack


class ImagesStack(EnvironmentStack):
    """Made only where the blueprint's images have repositories or caches; a stack cannot be empty."""

    def __init__(self, scope: Construct, id: str, *, blueprint: Blueprint, data_key_arn: str | None) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        if blueprint.images.repositories:
            ImageRepositories(
                self,
                "Repositories",
                plans=blueprint.images.repositories,
                key_arn=data_key_arn,
                retain=blueprint.buckets.retain,
            )
        if blueprint.images.caches:
            PullThroughCache(self, "Caches", plans=blueprint.images.caches)
