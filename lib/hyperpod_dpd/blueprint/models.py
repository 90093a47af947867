"""The model behind an endpoint: its weights, its name, and the bytes of KV cache a token costs on one rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.note import Note
from hyperpod_dpd.catalog import engine_defaults, models
from hyperpod_dpd.config import Fault
from hyperpod_dpd.iec.endpoint import FsxSource, HuggingFaceSource, ModelSource, S3Source, VolumeSource
from hyperpod_dpd.sizing.errors import SizingError
from hyperpod_dpd.sizing.geometry import Geometry, read_geometry
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank
from hyperpod_dpd.sizing.model_input import (
    CONFIG,
    ModelInput,
    UnreadableModel,
    catalogue_geometry,
    read_files,
)

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.endpoint import Endpoint
    from hyperpod_dpd.config.model_source import Model, Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPlan:
    """The model an endpoint serves, with the arithmetic that rules and alerts use.

    ``kv_bytes_per_token_per_rank`` counts every layer at the KV cache's dtype for one tensor-parallel
    rank; None when the geometry is unknown. ``exact`` is False when it is an upper bound.
    """

    key: str | None
    name: str
    kv_bytes_per_token_per_rank: int | None
    page_bytes: int | None
    exact: bool
    notes: tuple[str, ...]


def plan_source(loaded: LoadedEnvironment, name: str, weights: Weights, bucket: str) -> ModelSource | Note:
    """Where the weights are; a note instead when a fact that only a deployment brings is missing.

    ``bucket`` is the model bucket.
    """
    if weights.s3:
        return S3Source(
            bucket=weights.s3.bucket or bucket,
            region=weights.s3.region or loaded.environment.region,
            prefix=weights.s3.prefix,
            prefetch=weights.s3.prefetch,
        )
    if weights.hugging_face:
        source = weights.hugging_face
        return HuggingFaceSource(
            model_id=source.model_id,
            commit=source.commit,
            token_secret=source.token_secret,
            token_key=source.token_key,
            prefetch=source.prefetch,
        )
    if weights.volume:
        return VolumeSource(claim=weights.volume.claim, path=weights.volume.path)
    assert weights.fsx is not None
    if weights.fsx.file_system_id:
        return FsxSource(
            file_system_id=weights.fsx.file_system_id,
            path=weights.fsx.path,
            dns_name=weights.fsx.dns_name,
            mount_name=weights.fsx.mount_name,
        )
    system = loaded.outputs.file_system
    if system is None:
        return Note(
            subject=f"endpoints.{name}",
            message="left out of the manifests: its file system's id is not known yet; deploy the storage "
            f"stack, then run `dpd outputs pull {loaded.name}`",
        )
    return FsxSource(
        file_system_id=system.id,
        path=weights.fsx.path,
        dns_name=system.dns_name,
        mount_name=system.mount_name,
    )


def plan_model(loaded: LoadedEnvironment, endpoint: Endpoint, *, tensor_parallel_size: int) -> ModelPlan:
    """Name and KV arithmetic; figures are None, with the reason in the notes, where geometry is unknown."""
    model = endpoint.model
    known = models.get(model.catalogue) if model.catalogue else None
    name = model.name or (known.name if known else "model")
    try:
        geometry = geometry_of(loaded, model)
        per_token = bytes_per_token_per_rank(
            geometry,
            tensor_parallel_size=tensor_parallel_size,
            kv_cache_dtype=endpoint.engine.kv_cache_dtype,
        )
    except SizingError as error:
        return ModelPlan(
            key=known.key if known else None,
            name=name.replace(".", "-"),
            kv_bytes_per_token_per_rank=None,
            page_bytes=None,
            exact=False,
            notes=(str(error),),
        )
    return ModelPlan(
        key=known.key if known else None,
        name=name.replace(".", "-"),
        kv_bytes_per_token_per_rank=per_token.bytes,
        page_bytes=per_token.page_bytes(chunk_tokens=engine_defaults.lmcache().chunk_tokens),
        exact=per_token.exact,
        notes=tuple(per_token.notes),
    )


def geometry_of(loaded: LoadedEnvironment, model: Model) -> Geometry:
    """The model's geometry from its config.json, the catalogue, or the document. Raises SizingError."""
    if model.config:
        given = _read_files(loaded, model.config)
        return read_geometry(given.config, quant_config=given.quant_config, name=given.name)
    if model.geometry:
        inline = model.geometry
        return read_geometry(
            {
                "model_type": "llama",
                "num_hidden_layers": inline.layers,
                "num_attention_heads": inline.attention_heads,
                "num_key_value_heads": inline.kv_heads,
                "head_dim": inline.head_dim,
                "hidden_size": inline.attention_heads * inline.head_dim,
                "torch_dtype": inline.kv_dtype,
            },
            name=model.name or "geometry",
        )
    assert model.catalogue is not None
    return catalogue_geometry(model.catalogue)


def _read_files(loaded: LoadedEnvironment, config: str) -> ModelInput:
    try:
        place = loaded.folder / config
        return read_files(place / CONFIG if place.is_dir() else place)
    except UnreadableModel as error:
        raise SizingError(str(error).replace(f"{loaded.folder}/", "")) from None


def model_faults(loaded: LoadedEnvironment) -> Iterator[Fault]:
    """Every model whose shape is declared and cannot be used. A new kind of model is no fault, see ``model_notes``."""
    for name, endpoint in loaded.environment.endpoints.items():
        model = endpoint.model
        place = ("endpoints", name, "model", "geometry" if model.geometry else "config")
        try:
            if model.config:
                _read_files(loaded, model.config)
            elif model.geometry:
                geometry_of(loaded, model)
        except SizingError as error:
            fix = (
                "correct the figures"
                if model.geometry
                else "name the model's config.json, or give 'geometry'"
            )
            yield Fault(loaded.document.file, loaded.document.where(place), place, str(error), fix)


def model_notes(name: str, model: ModelPlan) -> Iterator[Note]:
    """Why nothing can be said of the KV cache of an endpoint's model."""
    if model.page_bytes is None:
        for reason in model.notes:
            message = f"buffer and memory follow from no arithmetic, because {reason}"
            yield Note(subject=f"endpoints.{name}.model", message=message)
