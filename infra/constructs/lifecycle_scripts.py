"""The scripts that a node runs when it is created, copied into the lifecycle bucket."""

from __future__ import annotations

from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_s3_deployment as deployment
from constructs import Construct, IDependable


class LifecycleScripts(Construct):
    """Every file of ``folder`` below ``prefix`` of the bucket, before any node asks for it.

    What was there and is no more in the folder is deleted only in a bucket of ours (``needs``), and below the
    prefix only: in somebody else's bucket nothing is ever deleted.

    The one custom resource of this project (a Lambda function): file assets go to the bootstrap bucket,
    which nodes may not read. It exists only where the environment names a folder.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        folder: str,
        bucket: str,
        prefix: str,
        needs: IDependable | None,
        key_arn: str | None,
    ) -> None:
        super().__init__(scope, id)
        key = kms.Key.from_key_arn(self, "Key", key_arn) if key_arn else None
        destination = s3.Bucket.from_bucket_attributes(self, "Bucket", bucket_name=bucket, encryption_key=key)
        copy = deployment.BucketDeployment(
            self,
            "Copy",
            sources=[deployment.Source.asset(folder)],
            destination_bucket=destination,
            destination_key_prefix=prefix,
            prune=needs is not None,
            retain_on_delete=True,
        )
        if needs is not None:
            copy.node.add_dependency(needs)
