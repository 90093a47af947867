"""Repositories that hold copies of images, so that nodes need no way to a public registry."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aws_cdk import RemovalPolicy
from aws_cdk import aws_ecr as ecr
from constructs import Construct

from hyperpod_dpd.blueprint.cloud import RepositoryPlan

KEEP_IMAGES = 20
DROP_UNTAGGED_DAYS = 14


class ImageRepositories(Construct):
    """One repository for each image line: scanned on push, tags that cannot move, old images dropped."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        plans: Sequence[RepositoryPlan],
        key_arn: str | None,
        retain: bool,
    ) -> None:
        super().__init__(scope, id)
        for plan in plans:
            repository = ecr.CfnRepository(
                self,
                plan.source.replace("/", "-"),
                repository_name=plan.name,
                image_tag_mutability="IMMUTABLE",
                image_scanning_configuration=ecr.CfnRepository.ImageScanningConfigurationProperty(
                    scan_on_push=True
                ),
                encryption_configuration=ecr.CfnRepository.EncryptionConfigurationProperty(
                    encryption_type="KMS", kms_key=key_arn
                )
                if key_arn
                else None,
                lifecycle_policy=ecr.CfnRepository.LifecyclePolicyProperty(
                    lifecycle_policy_text=json.dumps({"rules": _rules()})
                ),
                empty_on_delete=None if retain else True,
            )
            repository.apply_removal_policy(
                RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if retain else RemovalPolicy.DESTROY
            )


def _rules() -> list[dict[str, object]]:
    untagged = {
        "tagStatus": "untagged",
        "countType": "sinceImagePushed",
        "countUnit": "days",
        "countNumber": DROP_UNTAGGED_DAYS,
    }
    newest = {"tagStatus": "any", "countType": "imageCountMoreThan", "countNumber": KEEP_IMAGES}
    return [
        {"rulePriority": priority, "selection": selection, "action": {"type": "expire"}}
        for priority, selection in ((1, untagged), (2, newest))
    ]
