"""Where an endpoint's weights come from, one type for each kind that the operator knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

VOLUME_NAME = "model-weights"


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Source:
    """Weights below a prefix of a bucket in the cluster's Region."""

    bucket: str
    region: str
    prefix: str
    prefetch: bool = False

    def manifest(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            "modelSourceType": "s3",
            "modelLocation": self.prefix,
            "s3Storage": {"bucketName": self.bucket, "region": self.region},
        }
        if self.prefetch:
            body["prefetchEnabled"] = True
        return body


@dataclass(frozen=True, slots=True, kw_only=True)
class FsxSource:
    """Weights on an FSx for Lustre file system."""

    file_system_id: str
    path: str
    dns_name: str | None = None
    mount_name: str | None = None

    def manifest(self) -> dict[str, Any]:
        storage: dict[str, Any] = {"fileSystemId": self.file_system_id}
        if self.dns_name:
            storage["dnsName"] = self.dns_name
        if self.mount_name:
            storage["mountName"] = self.mount_name
        return {"modelSourceType": "fsx", "modelLocation": self.path, "fsxStorage": storage}


@dataclass(frozen=True, slots=True, kw_only=True)
class HuggingFaceSource:
    """Weights from a repository at one commit; the token stays in a Secret."""

    model_id: str
    commit: str | None = None
    token_secret: str | None = None
    token_key: str = "token"
    prefetch: bool = False

    def manifest(self) -> dict[str, Any]:
        model: dict[str, Any] = {"modelId": self.model_id}
        if self.commit:
            model["commitSHA"] = self.commit
        if self.token_secret:
            model["tokenSecretRef"] = {"name": self.token_secret, "key": self.token_key}
        body: dict[str, Any] = {"modelSourceType": "huggingface", "huggingFaceModel": model}
        if self.prefetch:
            body["prefetchEnabled"] = True
        return body


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeSource:
    """Weights on a claim of the cluster, such as the node's own NVMe."""

    claim: str
    path: str

    def manifest(self) -> dict[str, Any]:
        return {"modelSourceType": "kubernetesVolume", "modelLocation": self.path}

    def volume(self) -> dict[str, Any]:
        """The pod volume, named as the worker's mount names it."""
        return {"name": VOLUME_NAME, "persistentVolumeClaim": {"claimName": self.claim}}


ModelSource = S3Source | FsxSource | HuggingFaceSource | VolumeSource
