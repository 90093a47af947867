"""What one endpoint becomes: its model, its two roles, and the typed manifest that the operator gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.watching import ObjectivesPlan
from hyperpod_dpd.iec.endpoint import Endpoint
from hyperpod_dpd.iec.releases import prune

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.apps import PatchPlan


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RolePlan:
    """One role of an endpoint, bound to an instance group."""

    role: Literal["prefill", "decode", "worker"]
    group: str
    instance_type: str
    zone_id: str
    replicas: int
    gpus: int
    efa_interfaces: int
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointPlan:
    """One endpoint: the typed manifest the operator gets and the facts it was derived from.

    ``arguments`` of each RolePlan are effective, after the operator's merge. ``pd_buffer_bytes`` is
    whole pages per rank when the geometry is known.
    """

    name: str
    namespace: str
    topology: Literal["disaggregated", "colocated"]
    zone_id: str
    manifest: Endpoint | None
    model: ModelPlan
    roles: tuple[RolePlan, ...]
    tensor_parallel_size: int
    max_model_len_tokens: int | None
    pd_buffer_bytes: int | None
    routing_threshold_tokens: int
    image: str
    operator_release: str
    acknowledge: Mapping[str, str]
    objectives: ObjectivesPlan = field(default_factory=ObjectivesPlan)
    patches: tuple[PatchPlan, ...] = ()

    @property
    def app(self) -> str:
        return names.endpoint_app(self.name)

    def whole(self) -> dict[str, Any] | None:
        """The manifest with the document's overrides, as rules judge it; None when left out."""
        if self.manifest is None:
            return None
        manifest = self.manifest.manifest()
        if not self.patches:
            return manifest
        from hyperpod_dpd.blueprint.patching import patched

        return patched(manifest, self.patches)

    def rendered(self) -> dict[str, Any] | None:
        """The manifest without any field that this operator release would drop; None when left out."""
        whole = self.whole()
        return prune(whole, self.operator_release) if whole is not None else None

    def role(self, role: str) -> RolePlan | None:
        return next((r for r in self.roles if r.role == role), None)
