"""Autoscaling of the two roles, from the manifest or, where it is not rendered yet, from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog import engine_defaults

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.endpoint import EndpointView

BLOCKS = {"prefill": "prefillAutoScaling", "decode": "decodingAutoScaling"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleScaling:
    """One role's limits; ``max_given`` is False where the field's default counts. ``block`` holds the rest."""

    role: str
    path: Path
    min_replicas: int
    max_replicas: int
    max_given: bool
    block: Mapping[str, Any] | None

    @property
    def block_name(self) -> str:
        return str(self.path[-1])


def scaling_of(endpoint: EndpointView, role: str) -> RoleScaling | None:
    """None where the role does not scale. ``block`` is None where only the environment declares it."""
    name = BLOCKS[role]
    path: Path = ("spec", "pdSpec", "autoScalingSpec", name)
    block = endpoint.get("pdSpec", "autoScalingSpec", name)
    if isinstance(block, Mapping):
        least, most = block.get("minReplicaCount"), block.get("maxReplicaCount")
        return RoleScaling(
            role=role,
            path=path,
            min_replicas=_count(least, name, "minReplicaCount"),
            max_replicas=_count(most, name, "maxReplicaCount"),
            max_given=most is not None,
            block=block,
        )
    declared = endpoint.context.autoscaling.get(role)
    if declared is None:
        return None
    return RoleScaling(
        role=role,
        path=path,
        min_replicas=declared.min_replicas,
        max_replicas=declared.max_replicas,
        max_given=True,
        block=None,
    )


def _count(value: Any, block: str, field: str) -> int:
    if isinstance(value, int):
        return value
    default = engine_defaults.manifest_default(f"spec.pdSpec.autoScalingSpec.{block}.{field}")
    return int(default.value) if default else 1
