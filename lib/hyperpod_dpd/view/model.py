"""The model behind an endpoint, found as the command contract says, with its KV arithmetic per role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import models
from hyperpod_dpd.sizing.errors import SizingError
from hyperpod_dpd.sizing.geometry import Geometry
from hyperpod_dpd.sizing.kv_cache import KvPerToken, bytes_per_token_per_rank
from hyperpod_dpd.sizing.model_input import catalogue_geometry
from hyperpod_dpd.view.context import Context, MissingFact

if TYPE_CHECKING:
    from collections.abc import Callable

    from hyperpod_dpd.view.role import RoleView


@dataclass(frozen=True, slots=True)
class ModelView:
    """Geometry of the model, and its catalogue entry where it has one. ``found_by`` says how it was found."""

    geometry: Geometry
    entry: models.Model | None
    found_by: str
    chunk_tokens: int
    declared_parameters_billion: float | None = field(default=None, kw_only=True)
    declared_mixture_of_experts: bool | None = field(default=None, kw_only=True)
    _per_token: dict[tuple[int, str | None], KvPerToken | None] = field(
        default_factory=dict, repr=False, compare=False
    )

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

    def kv(self, role: RoleView) -> KvPerToken | None:
        """Bytes of one token on one rank of ``role``; None when TP does not divide the heads."""
        key = (role.tensor_parallel_size, role.arguments.get("--kv-cache-dtype"))
        if key not in self._per_token:
            try:
                self._per_token[key] = bytes_per_token_per_rank(
                    self.geometry, tensor_parallel_size=key[0], kv_cache_dtype=key[1]
                )
            except SizingError:
                self._per_token[key] = None
        return self._per_token[key]

    def page_bytes(self, role: RoleView) -> int | None:
        """Bytes of one LMCache page on one rank of ``role``; None when TP does not divide the heads."""
        per_token = self.kv(role)
        return per_token.page_bytes(chunk_tokens=self.chunk_tokens) if per_token else None

    @property
    def weight_dtype(self) -> str | None:
        """What the published weights are stored in; None where that is not settled."""
        counted, weights = self.geometry.parameters, self.geometry.weights
        return weights.name if counted is not None and weights.certain else None

    def weight_bytes(self, role: RoleView) -> int | None:
        """Bytes of all weights over all ranks; None where their number or format is not settled.

        ``--quantization`` fp8 makes 8 bits of unquantised weights when the engine loads them.
        """
        counted = self.geometry.parameters
        doubtful = self.entry is not None and "weights_dtype" in self.entry.unconfirmed
        if counted is None or doubtful or not self.geometry.weights.certain:
            return None
        online = role.arguments.get("--quantization") == "fp8"
        return min(counted.stored_bytes, counted.eight_bit_bytes) if online else counted.stored_bytes


def find_model(
    context: Context, annotations: Any, spec_field: Callable[..., Any], chunk: int
) -> ModelView | None:
    """``--model-config`` or the environment, then the annotation, then a catalogue match on what it is called.

    ``spec_field`` gives a field of the manifest's ``spec``; ``chunk`` are the tokens of one page.
    """
    if context.geometry is not None:
        entry = models.get(context.model_key) if context.model_key else None
        return ModelView(
            context.geometry,
            entry,
            "declared",
            chunk,
            declared_parameters_billion=context.parameters_billion,
            declared_mixture_of_experts=context.mixture_of_experts,
        )
    if isinstance(annotations, Mapping):
        named = annotations.get(names.MODEL_ANNOTATION)
        entry = (models.get(named) or models.match(named)) if isinstance(named, str) else None
        if entry is not None:
            return _from_catalogue(entry, "annotation", chunk)
    for path in (
        ("modelName",),
        ("modelSourceConfig", "huggingFaceModel", "modelId"),
        ("modelSourceConfig", "modelLocation"),
    ):
        text = spec_field(*path)
        entry = models.match(text) if isinstance(text, str) else None
        if entry is not None:
            return _from_catalogue(entry, ".".join(path), chunk)
    return None


def _from_catalogue(entry: models.Model, found_by: str, chunk: int) -> ModelView | None:
    try:
        return ModelView(catalogue_geometry(entry.key), entry, found_by, chunk)
    except SizingError:
        return None
