"""What an environment holds, in nodes and GPUs: the part of its cost that no price list is needed for."""

from __future__ import annotations

from dataclasses import dataclass

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.catalog import instance_types


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFootprint:
    """Nodes and GPUs of one group, now and at most; GPUs are None for a type that the catalogue lacks."""

    group: str
    role: str
    instance_type: str
    capacity: str
    nodes: int
    max_nodes: int
    gpus: int | None
    max_gpus: int | None


def footprint(blueprint: Blueprint) -> list[GroupFootprint]:
    """One row for each instance group, in the order of the document."""
    rows = []
    for group in blueprint.cluster.groups:
        known = instance_types.get(group.instance_type)
        each = known.gpus if known else None
        rows.append(
            GroupFootprint(
                group=group.name,
                role=group.role,
                instance_type=group.instance_type,
                capacity=group.capacity,
                nodes=group.count,
                max_nodes=group.max_count,
                gpus=None if each is None else group.count * each,
                max_gpus=None if each is None else group.max_count * each,
            )
        )
    return rows
