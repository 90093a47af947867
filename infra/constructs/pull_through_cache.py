"""ECR as a cache of public registries: a node's first pull fills it, every later one stays in the Region."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import aws_ecr as ecr
from constructs import Construct

from hyperpod_dpd.blueprint.cloud import PullThroughPlan


class PullThroughCache(Construct):
    """One rule for each upstream registry."""

    def __init__(self, scope: Construct, id: str, *, plans: Sequence[PullThroughPlan]) -> None:
        super().__init__(scope, id)
        for plan in plans:
            ecr.CfnPullThroughCacheRule(
                self,
                plan.upstream,
                ecr_repository_prefix=plan.prefix,
                upstream_registry_url=plan.upstream,
                credential_arn=plan.secret_arn,
            )
