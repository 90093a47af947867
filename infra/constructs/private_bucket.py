"""A bucket that is encrypted, closed to the public and reached over TLS only."""

from __future__ import annotations

from typing import Any

from aws_cdk import RemovalPolicy
from aws_cdk import aws_s3 as s3
from constructs import Construct, IDependable

from infra.place import Place
from infra.policy import document

LOG_DELIVERY_SERVICE = "logging.s3.amazonaws.com"
KEEP_OLD_VERSIONS_DAYS = 30
GIVE_UP_UPLOADS_DAYS = 7
KEEP_ACCESS_LOGS_DAYS = 365


class PrivateBucket(Construct):
    """A bucket of the environment that writes its access logs to ``log_to`` (``needs`` is what must stand first).

    Without ``log_to`` it *is* the bucket that takes the access logs.

    S3 can deliver access logs only to a bucket that is encrypted with S3's own keys.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        name: str,
        key_arn: str | None,
        log_to: str | None,
        needs: IDependable | None,
        retain: bool,
    ) -> None:
        super().__init__(scope, id)
        self.name = name
        bucket = s3.CfnBucket(
            self,
            "Resource",
            bucket_name=name,
            bucket_encryption=_encryption(key_arn),
            public_access_block_configuration=s3.CfnBucket.PublicAccessBlockConfigurationProperty(
                block_public_acls=True,
                block_public_policy=True,
                ignore_public_acls=True,
                restrict_public_buckets=True,
            ),
            ownership_controls=s3.CfnBucket.OwnershipControlsProperty(
                rules=[s3.CfnBucket.OwnershipControlsRuleProperty(object_ownership="BucketOwnerEnforced")]
            ),
            versioning_configuration=s3.CfnBucket.VersioningConfigurationProperty(status="Enabled"),
            lifecycle_configuration=_lifecycle(holds_logs=log_to is None),
            logging_configuration=s3.CfnBucket.LoggingConfigurationProperty(
                destination_bucket_name=log_to, log_file_prefix=f"{name}/"
            )
            if log_to is not None
            else None,
        )
        bucket.apply_removal_policy(
            RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if retain else RemovalPolicy.DESTROY
        )
        statements = [_only_over_tls(place, name)]
        if log_to is None:
            statements.append(_take_access_logs(place, name))
        elif needs is not None:
            bucket.node.add_dependency(needs)
        s3.CfnBucketPolicy(self, "Policy", bucket=bucket.ref, policy_document=document(*statements))


def _encryption(key_arn: str | None) -> s3.CfnBucket.BucketEncryptionProperty:
    default = s3.CfnBucket.ServerSideEncryptionByDefaultProperty(
        sse_algorithm="aws:kms" if key_arn else "AES256", kms_master_key_id=key_arn
    )
    return s3.CfnBucket.BucketEncryptionProperty(
        server_side_encryption_configuration=[
            s3.CfnBucket.ServerSideEncryptionRuleProperty(
                server_side_encryption_by_default=default, bucket_key_enabled=True if key_arn else None
            )
        ]
    )


def _lifecycle(*, holds_logs: bool) -> s3.CfnBucket.LifecycleConfigurationProperty:
    return s3.CfnBucket.LifecycleConfigurationProperty(
        rules=[
            s3.CfnBucket.RuleProperty(
                id="no-leftovers",
                status="Enabled",
                abort_incomplete_multipart_upload=s3.CfnBucket.AbortIncompleteMultipartUploadProperty(
                    days_after_initiation=GIVE_UP_UPLOADS_DAYS
                ),
                noncurrent_version_expiration=s3.CfnBucket.NoncurrentVersionExpirationProperty(
                    noncurrent_days=KEEP_OLD_VERSIONS_DAYS
                ),
                expiration_in_days=KEEP_ACCESS_LOGS_DAYS if holds_logs else None,
            )
        ]
    )


def _only_over_tls(place: Place, name: str) -> dict[str, Any]:
    return {
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": [place.bucket_arn(name), place.bucket_arn(f"{name}/*")],
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }


def _take_access_logs(place: Place, name: str) -> dict[str, Any]:
    return {
        "Effect": "Allow",
        "Principal": {"Service": LOG_DELIVERY_SERVICE},
        "Action": "s3:PutObject",
        "Resource": place.bucket_arn(f"{name}/*"),
        "Condition": {"StringEquals": {"aws:SourceAccount": place.account}},
    }
