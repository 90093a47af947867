"""The keys of buckets that somebody else owns, gathered from every place of a document that names such a bucket."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path

if TYPE_CHECKING:
    from hyperpod_dpd.config.environment import Environment
    from hyperpod_dpd.config.existing import LifecycleSource
    from hyperpod_dpd.config.fault import Complaint


@dataclass(frozen=True, slots=True)
class BucketUse:
    """One place of the document that names a bucket, and the key that it gives."""

    path: Path
    bucket: str
    key_arn: str | None


def bucket_uses(environment: Environment) -> Iterator[BucketUse]:
    """Every bucket of somebody else's that the document names, in its order."""
    for purpose, given in environment.storage.existing_buckets:
        if given is not None:
            path: Path = ("storage", "existing_buckets", purpose)
            yield BucketUse(path, given.name, given.kms_key_arn)
    cluster = environment.cluster
    sources: dict[Path, LifecycleSource | None] = {("cluster", "lifecycle"): cluster.lifecycle}
    for name, group in cluster.instance_groups.items():
        sources["cluster", "instance_groups", name, "lifecycle"] = group.lifecycle
    for path, source in sources.items():
        if source is not None:
            bucket = source.uri.removeprefix("s3://").partition("/")[0]
            yield BucketUse(path, bucket, source.kms_key_arn)
    for name, endpoint in environment.endpoints.items():
        weights = endpoint.model.weights.s3
        if weights is not None and weights.bucket is not None:
            path = ("endpoints", name, "model", "weights", "s3")
            yield BucketUse(path, weights.bucket, weights.kms_key_arn)


def bucket_key_faults(environment: Environment) -> Iterator[Complaint]:
    """Keys that cannot be those of the bucket, and two keys for one bucket."""
    first: dict[str, BucketUse] = {}
    for use in bucket_uses(environment):
        if use.key_arn is None:
            continue
        path: Path = (*use.path, "kms_key_arn")
        region = use.key_arn.split(":")[3]
        if use.path[-1] == "access_logs":
            yield (
                path,
                "S3 delivers access logs only into a bucket that its own keys encrypt (SSE-S3)",
                "name another bucket for the logs, or leave access_logs out and one is made",
            )
        elif region != environment.region:
            yield (
                path,
                f"the key is in {region}, and S3 takes keys of the bucket's Region, {environment.region}",
                "read it off the bucket: `aws s3api get-bucket-encryption --bucket " + use.bucket + "`",
            )
        known = first.setdefault(use.bucket, use)
        if known.key_arn != use.key_arn:
            yield path, f"bucket '{use.bucket}' has another key above: {known.key_arn}", "give the same key"
    for name, endpoint in environment.endpoints.items():
        weights = endpoint.model.weights.s3
        if weights is not None and weights.bucket is None and weights.kms_key_arn is not None:
            yield (
                ("endpoints", name, "model", "weights", "s3", "kms_key_arn"),
                "the weights are in the environment's model bucket, whose key this is not the place for",
                "name the bucket ('bucket'), or give the key under storage.existing_buckets.models",
            )
