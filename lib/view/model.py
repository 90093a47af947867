"""The model behind an endpoint, found as the command contract says, with its KV arithmetic per role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lib.blueprint import names
from lib.blueprint.models import catalogue_config
from lib.catalog import engine_defaults, models
from lib.sizing.errors import SizingError
from lib.sizing.geometry import Geometry, read_geometry
from lib.sizing.kv_cache import bytes_per_token_per_rank
from lib.view.context import MissingFact

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView, RoleView


@dataclass(frozen=True, slots=True)
class ModelView:
    """Geometry of the model, and its catalogue entry where it has one. ``found_by`` says how it was found."""

    geometry: Geometry
    entry: models.Model | None
    found_by: str
    declared_parameters_billion: float | None = field(default=None, kw_only=True)
    declared_mixture_of_experts: bool | None = field(default=None, kw_only=True)

    @property
    def parameters_billion(self) -> float:
        """Declared, else of the catalogue, else counted from the config. Raises MissingFact where none says."""
        if self.declared_parameters_billion is not None:
            return self.declared_parameters_billion
        if self.entry is not None:
            return self.entry.parameters_billion
        if self.geometry.parameters is None:
            raise MissingFact("parameter count")
        return self.geometry.parameters.total / 10**9

    @property
    def mixture_of_experts(self) -> bool:
        if self.declared_mixture_of_experts is not None:
            return self.declared_mixture_of_experts
        return self.entry.mixture_of_experts if self.entry is not None else self.geometry.is_moe

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
        return ModelView(
            context.geometry,
            entry,
            "declared",
            declared_parameters_billion=context.parameters_billion,
            declared_mixture_of_experts=context.mixture_of_experts,
        )
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
    try:
        return ModelView(read_geometry(catalogue_config(entry), name=entry.key), entry, found_by)
    except SizingError:
        return None
