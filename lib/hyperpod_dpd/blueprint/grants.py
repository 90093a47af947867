"""What the document names of somebody else's: the roles get rights on it, and what only its owner can do is said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.note import Note
from hyperpod_dpd.blueprint.stores import BucketPlan
from hyperpod_dpd.config.bucket_keys import bucket_uses
from hyperpod_dpd.document import dotted

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.cloud import ImagesPlan
    from hyperpod_dpd.config import LoadedEnvironment


def plan_buckets(loaded: LoadedEnvironment) -> BucketPlan:
    """Buckets by purpose, ours or given, and those that endpoints name besides."""
    environment, given = loaded.environment, loaded.environment.storage.existing_buckets
    place = (loaded.name, environment.account, environment.region)
    models = given.models.name if given.models else names.model_bucket(*place)
    sources = [endpoint.model.weights.s3 for endpoint in environment.endpoints.values()]
    weights = dict.fromkeys(source.bucket for source in sources if source and source.bucket)
    uses = list(bucket_uses(environment))
    return BucketPlan(
        models=models,
        lifecycle=given.lifecycle.name if given.lifecycle else names.lifecycle_bucket(*place),
        tls=given.tls.name if given.tls else names.tls_bucket(*place),
        access_logs=given.access_logs.name if given.access_logs else names.access_log_bucket(*place),
        retain=environment.production,
        existing=frozenset(bucket.name for _, bucket in given if bucket is not None),
        weights=tuple(name for name in weights if name != models),
        key_arns={use.bucket: use.key_arn for use in uses if use.key_arn is not None},
    )


def grant_notes(loaded: LoadedEnvironment, buckets: BucketPlan, images: ImagesPlan) -> Iterator[Note]:
    """Rights that no role of ours can give: policies of other accounts, roles that are given."""
    environment, roles = loaded.environment, loaded.environment.roles
    for use in bucket_uses(environment):
        if use.key_arn is not None and use.key_arn.split(":")[4] != environment.account:
            yield Note(
                subject=dotted(use.path),
                message=f"the policies of bucket '{use.bucket}' and of its key are of another account, which has to "
                f"let account {environment.account} in; ask its owner",
            )
    if environment.storage.file_system is not None and buckets.models in buckets.key_arns:
        yield Note(
            subject="storage.existing_buckets.models",
            message="FSx reads the bucket as its own service-linked role, which the policy of the bucket's key has "
            "to let decrypt; ask its owner",
        )
    if roles.s3_driver is not None and (buckets.weights or buckets.models in buckets.existing):
        named = [*([buckets.models] if buckets.models in buckets.existing else []), *buckets.weights]
        yield Note(
            subject="roles.s3_driver",
            message=f"the role is given, so its rights on {', '.join(named)} are its owner's; grant s3:ListBucket "
            "and s3:GetObject, and kms:Decrypt on the bucket's key",
        )
    if roles.nodes is not None and images.elsewhere:
        yield Note(
            subject="roles.nodes",
            message="the role is given, so its rights on registries of another Region are its owner's; grant it to "
            "pull " + ", ".join(place.repository for place in images.elsewhere),
        )
    for place in images.foreign:
        yield Note(
            subject="images",
            message=f"repository {place.repository} is of account {place.account}, whose repository policy has to "
            f"let account {environment.account} pull; ask its owner",
        )
