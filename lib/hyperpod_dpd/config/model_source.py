"""The model an endpoint serves and where its weights come from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hyperpod_dpd.config.base import KmsKeyArn, ObjectName, SecretKey, Section, Text
from hyperpod_dpd.config.existing import BucketName
from hyperpod_dpd.config.staging import Staging


class Geometry(Section):
    """Shape of a model that is in no catalogue and has no config.json at hand."""

    layers: int = Field(ge=1, description="Layers of the model.")
    attention_heads: int = Field(ge=1, description="Attention heads of a layer.")
    kv_heads: int = Field(ge=1, description="Key-value heads of a layer.")
    head_dim: int = Field(ge=1, description="Elements of one head.")
    parameters_billion: float = Field(gt=0, description="Weights of the model, in billions.")
    kv_dtype: Literal["bfloat16", "float16", "float32", "fp8"] = Field(
        "bfloat16", description="Element type of the KV cache."
    )
    mixture_of_experts: bool = Field(False, description="Whether the layers hold experts.")


class S3(Section):
    """A prefix of a bucket in the cluster's Region. Default bucket: the environment's model bucket."""

    prefix: str = Field(
        min_length=1,
        max_length=1024,
        pattern=r"^[A-Za-z0-9_.!*'()/@=+-]+$",
        description="Folder of the weights in the bucket.",
    )
    bucket: BucketName | None = Field(None, description="Another bucket, which the S3 driver may then read.")
    kms_key_arn: KmsKeyArn | None = Field(
        None, description="Key of that bucket's objects, which the driver may then use."
    )
    region: str | None = Field(None, description="Region of the bucket.")
    prefetch: bool = Field(False, description="Whether weights are copied before the engine starts.")


class Fsx(Section):
    """A folder of the environment's FSx for Lustre file system, or of another one by id."""

    path: str = Field(min_length=1, description="Folder of the weights on the file system.")
    file_system_id: str | None = Field(
        None, pattern=r"^fs-[0-9a-f]{8,17}$", description="Id of another file system than the environment's."
    )
    dns_name: str | None = Field(None, description="Of a file system given by id.")
    mount_name: str | None = Field(None, description="Of a file system given by id.")


class HuggingFace(Section):
    """A repository at one commit; the token, when needed, stays in a Secret."""

    model_id: str = Field(
        pattern=r"^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$", description="Repository, as organisation/name."
    )
    commit: str | None = Field(
        None, pattern=r"^[0-9a-f]{40}$", description="Commit of the repository, 40 hex digits."
    )
    token_secret: ObjectName | None = Field(None, description="Kubernetes Secret that holds the token.")
    token_key: SecretKey = Field("token", description="Key of the Secret that holds the token.")
    prefetch: bool = Field(False, description="Whether weights are downloaded before the engine starts.")


class Volume(Section):
    """A persistent volume claim in the endpoint's namespace, such as the nodes' NVMe.

    With ``host_path`` the claim and its volume are rendered: the same folder of every node.
    """

    claim: ObjectName = Field(description="Name of the persistent volume claim.")
    path: Text = Field("", description="Folder of the weights on the volume.")
    host_path: str | None = Field(
        None, pattern=r"^/.+", max_length=255, description="Such as /opt/dlami/nvme/models."
    )
    size_gib: int = Field(1000, ge=1, description="Size in GiB.")


class Weights(Section):
    """Exactly one place of the weights."""

    s3: S3 | None = Field(None, description="In an S3 bucket.")
    fsx: Fsx | None = Field(None, description="On FSx for Lustre.")
    hugging_face: HuggingFace | None = Field(None, description="In a Hugging Face repository.")
    volume: Volume | None = Field(None, description="On a persistent volume.")
    staging: Staging | None = Field(None, description="Fill an S3 prefix or the file system beforehand.")


class Model(Section):
    """The model: by catalogue key, by its config.json, or by inline geometry; and its weights."""

    name: str | None = Field(None, description="modelName of the manifest. Default: from the catalogue.")
    catalogue: str | None = Field(
        None, description="A key of `dpd kv --list`, such as llama-3.3-70b-instruct."
    )
    config: str | None = Field(None, description="Path of a config.json, relative to this file.")
    geometry: Geometry | None = Field(None, description="Shape of a model without config.json.")
    weights: Weights = Field(description="Where the weights are.")
