"""What somebody else has made already and this environment shall use: roles, buckets, workspaces, scripts."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from hyperpod_dpd.config.base import KmsKeyArn, RoleArn, Section

BucketName = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", examples=["sagemaker-scripts-111122223333"])
]


class ExistingRoles(Section):
    """IAM roles that are given; none is made in the place of one, and nobody checks what it may do."""

    nodes: RoleArn | None = Field(None, description="Execution role of every instance group.")
    autoscaling: RoleArn | None = Field(None, description="Cluster role of HyperPod's managed Karpenter.")
    operator: RoleArn | None = Field(
        None, description="Execution role of the inference operator; its name begins as the operator demands."
    )
    load_balancer: RoleArn | None = Field(None, description="Of the operator's load balancer controller.")
    keda: RoleArn | None = Field(None, description="Of the operator's KEDA.")
    s3_driver: RoleArn | None = Field(None, description="Of the Mountpoint for S3 CSI driver.")
    fsx_driver: RoleArn | None = Field(None, description="Of the FSx CSI driver, by Pod Identity.")
    observability: RoleArn | None = Field(None, description="Of the observability add-on, by Pod Identity.")
    grafana: RoleArn | None = Field(None, description="Of the Grafana workspace that is made.")


class ExistingBucket(Section):
    """A bucket that is given, with the key that its owner encrypts it with."""

    name: BucketName
    kms_key_arn: KmsKeyArn | None = Field(
        None,
        description="Key of its objects; the roles that use the bucket may use the key. Default: S3's own keys.",
    )


def _bucket_from_text(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


_Given = Annotated[
    ExistingBucket, BeforeValidator(_bucket_from_text, json_schema_input_type=BucketName | ExistingBucket)
]


class ExistingBuckets(Section):
    """Buckets that are given, by name or by name and key; encryption, policy and logging stay their owner's."""

    models: _Given | None = Field(
        None, description="Weights and results; the environment's roles may use it."
    )
    lifecycle: _Given | None = Field(None, description="Begins with sagemaker-, for the node's policy.")
    tls: _Given | None = Field(None, description="Begins with hyperpod-tls, for the operator's policy.")
    access_logs: _Given | None = Field(
        None, description="S3 delivers access logs only where no key of KMS encrypts them."
    )


class LifecycleSource(Section):
    """Scripts that are in a bucket already; nothing is copied there."""

    uri: str = Field(
        pattern=r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[^\s]*)?$",
        description="Folder that holds the scripts.",
        examples=["s3://sagemaker-scripts-111122223333/base-config"],
    )
    kms_key_arn: KmsKeyArn | None = Field(None, description="Key of the bucket, which nodes may then use.")
    on_create: str = Field(
        "on_create.sh", pattern=r"^[A-Za-z0-9_./-]+$", description="Script that every node runs when created."
    )


class GrafanaWorkspaceId(Section):
    """A managed Grafana workspace of this account and Region that exists already."""

    id: str = Field(pattern=r"^g-[0-9a-f]{10}$")
    name: str = Field(
        pattern=r"^[a-zA-Z0-9._~-]{1,255}$", description="Its name, which the add-on wants too."
    )
