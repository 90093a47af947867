"""The model behind an endpoint, found as the command contract says, with its KV arithmetic per role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from lib.blueprint import names
from lib.blueprint.models import catalogue_config
from lib.catalog import engine_defaults, models
from lib.sizing.errors import SizingError
from lib.sizing.geometry import Geometry, read_geometry
from lib.sizing.kv_cache import bytes_per_token_per_rank

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView, RoleView


@dataclass(frozen=True, slots=True)
class ModelView:
    """Geometry of the model, and its catalogue entry where it has one. ``found_by`` says how it was found."""

    geometry: Geometry
    entry: models.Model | None
    found_by: str

    def page_bytes(self, role: RoleView) -> int | None:
        """Bytes of one LMCache page on one rank of ``role``; None when TP does not divide the heads."""
        try:
            per_token = bytes_per_token_per_rank(
                self.geometry,
                tensor_parallel_size=role.tensor_parallel_size,
                kv_cache_dtype=role.arguments.get("--kv-cache-dtype"),
            )
        except SizingError:
            return None
        return per_token.page_bytes(chunk_tokens=engine_defaults.lmcache().chunk_tokens)


def find_model(endpoint: EndpointView) -> ModelView | None:
    """``--model-config`` or the environment, then the annotation, then a catalogue match on what it is called."""
    context = endpoint.context
    if context.geometry is not None:
        entry = models.get(context.model_key) if context.model_key else None
        return ModelView(context.geometry, entry, "declared")
    annotations = endpoint.metadata.get("annotations")
    if isinstance(annotations, Mapping):
        named = annotations.get(names.MODEL_ANNOTATION)
        entry = (models.get(named) or models.match(named)) if isinstance(named, str) else None
        if entry is not None:
            return _from_catalogue(entry, "annotation")
    for path in (
        ("modelName",),
        ("modelSourceConfig", "huggingFaceModel", "modelId"),
        ("modelSourceConfig", "modelLocation"),
    ):
        text = endpoint.get(*path)
        entry = models.match(text) if isinstance(text, str) else None
        if entry is not None:
            return _from_catalogue(entry, ".".join(path))
    return None


def _from_catalogue(entry: models.Model, found_by: str) -> ModelView | None:
    geometry = _catalogue_geometry(entry.key)
    return ModelView(geometry, entry, found_by) if geometry is not None else None


@cache
def _catalogue_geometry(key: str) -> Geometry | None:
    """Read once, since many manifests serve the same few models."""
    entry = models.get(key)
    try:
        return read_geometry(catalogue_config(entry), name=key) if entry is not None else None
    except SizingError:
        return None
