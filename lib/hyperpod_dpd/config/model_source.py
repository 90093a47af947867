"""The model an endpoint serves and where its weights come from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hyperpod_dpd.config.base import KmsKeyArn, ObjectName, SecretKey, Section, Text
from hyperpod_dpd.config.existing import BucketName
from hyperpod_dpd.config.staging import Staging


class Geometry(Section):
    """Shape of a model that is in no catalogue and has no config.json at hand."""

    layers: int = Field(ge=1)
    attention_heads: int = Field(ge=1)
    kv_heads: int = Field(ge=1)
    head_dim: int = Field(ge=1)
    parameters_billion: float = Field(gt=0)
    kv_dtype: Literal["bfloat16", "float16", "float32", "fp8"] = "bfloat16"
    mixture_of_experts: bool = False


class S3(Section):
    """A prefix of a bucket in the cluster's Region. Default bucket: the environment's model bucket."""

    prefix: str = Field(min_length=1, max_length=1024, pattern=r"^[A-Za-z0-9_.!*'()/@=+-]+$")
    bucket: BucketName | None = Field(None, description="Another bucket, which the S3 driver may then read.")
    kms_key_arn: KmsKeyArn | None = Field(
        None, description="Key of that bucket's objects, which the driver may then use."
    )
    region: str | None = None
    prefetch: bool = False


class Fsx(Section):
    """A folder of the environment's FSx for Lustre file system, or of another one by id."""

    path: str = Field(min_length=1)
    file_system_id: str | None = Field(None, pattern=r"^fs-[0-9a-f]{8,17}$")
    dns_name: str | None = Field(None, description="Of a file system given by id.")
    mount_name: str | None = Field(None, description="Of a file system given by id.")


class HuggingFace(Section):
    """A repository at one commit; the token, when needed, stays in a Secret."""

    model_id: str = Field(pattern=r"^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$")
    commit: str | None = Field(None, pattern=r"^[0-9a-f]{40}$")
    token_secret: ObjectName | None = None
    token_key: SecretKey = "token"
    prefetch: bool = False


class Volume(Section):
    """A persistent volume claim in the endpoint's namespace, such as the nodes' NVMe.

    With ``host_path`` the claim and its volume are rendered: the same folder of every node.
    """

    claim: ObjectName
    path: Text = ""
    host_path: str | None = Field(
        None, pattern=r"^/.+", max_length=255, description="Such as /opt/dlami/nvme/models."
    )
    size_gib: int = Field(1000, ge=1)


class Weights(Section):
    """Exactly one place of the weights."""

    s3: S3 | None = None
    fsx: Fsx | None = None
    hugging_face: HuggingFace | None = None
    volume: Volume | None = None
    staging: Staging | None = Field(None, description="Fill an S3 prefix or the file system beforehand.")


class Model(Section):
    """The model: by catalogue key, by its config.json, or by inline geometry; and its weights."""

    name: str | None = Field(None, description="modelName of the manifest. Default: from the catalogue.")
    catalogue: str | None = Field(
        None, description="A key of `dpd kv --list`, such as llama-3.3-70b-instruct."
    )
    config: str | None = Field(None, description="Path of a config.json, relative to this file.")
    geometry: Geometry | None = None
    weights: Weights
