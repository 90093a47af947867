"""What an environment holds, in nodes and GPUs, and in money where somebody gives the prices."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.catalog import instance_types

if TYPE_CHECKING:
    from hyperpod_dpd.config.prices import Prices


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


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCost:
    """Money of one group for an hour, now and at most; None where the price list has no price for it."""

    per_hour: Decimal | None
    max_per_hour: Decimal | None


def cost(row: GroupFootprint, prices: Prices) -> GroupCost:
    """What the nodes of a group cost; of a group with several types, as if all were of its first."""
    each = prices.of(row.instance_type, row.capacity)
    if each is None:
        return GroupCost(per_hour=None, max_per_hour=None)
    return GroupCost(per_hour=row.nodes * each, max_per_hour=row.max_nodes * each)


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
