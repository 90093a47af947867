"""Where an endpoint's weights come from, with late-bound ids filled in or the endpoint left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.model import Note
from hyperpod_dpd.blueprint.stores import BucketPlan
from hyperpod_dpd.iec.model_source import FsxSource, HuggingFaceSource, ModelSource, S3Source, VolumeSource

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.endpoint import Endpoint


def plan_source(
    loaded: LoadedEnvironment, name: str, endpoint: Endpoint, buckets: BucketPlan
) -> tuple[ModelSource | None, list[Note]]:
    """The source, or None and a note when a fact that only a deployment brings is missing."""
    weights = endpoint.model.weights
    if weights.s3:
        return S3Source(
            bucket=weights.s3.bucket or buckets.models,
            region=weights.s3.region or loaded.environment.region,
            prefix=weights.s3.prefix,
            prefetch=weights.s3.prefetch,
        ), []
    if weights.hugging_face:
        source = weights.hugging_face
        return HuggingFaceSource(
            model_id=source.model_id,
            commit=source.commit,
            token_secret=source.token_secret,
            token_key=source.token_key,
            prefetch=source.prefetch,
        ), []
    if weights.volume:
        return VolumeSource(claim=weights.volume.claim, path=weights.volume.path), []
    assert weights.fsx is not None
    if weights.fsx.file_system_id:
        return FsxSource(
            file_system_id=weights.fsx.file_system_id,
            path=weights.fsx.path,
            dns_name=weights.fsx.dns_name,
            mount_name=weights.fsx.mount_name,
        ), []
    system = loaded.outputs.file_system
    if system is None:
        note = Note(
            subject=f"endpoints.{name}",
            message="left out of the manifests: its file system's id is not known yet; deploy the storage "
            f"stack, then run `dpd outputs pull {loaded.name}`",
        )
        return None, [note]
    return FsxSource(
        file_system_id=system.id,
        path=weights.fsx.path,
        dns_name=system.dns_name,
        mount_name=system.mount_name,
    ), []
