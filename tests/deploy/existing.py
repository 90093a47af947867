"""What environments on somebody else's network or cluster find when they come."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network
from typing import Any

from hyperpod_dpd.blueprint.model import Blueprint

SUBNET_PREFIX = 20


def what_stands_already(blueprints: Iterable[Blueprint]) -> list[dict[str, Any]]:
    """One entry for each environment whose VPC (and perhaps EKS cluster) is not its own."""
    return [_entry(b) for b in blueprints if b.network.existing_vpc_id is not None]


def _entry(blueprint: Blueprint) -> dict[str, Any]:
    network, existing = blueprint.network, blueprint.cluster.existing
    ranges = IPv4Network(network.existing_cidrs[0]).subnets(new_prefix=SUBNET_PREFIX)
    return {
        "account": blueprint.account,
        "region": blueprint.region,
        "vpc_id": network.existing_vpc_id,
        "cidrs": list(network.existing_cidrs),
        "subnets": [
            {"id": subnet.existing_id, "zone_id": subnet.zone_id, "cidr": str(cidr)}
            for subnet, cidr in zip(network.subnets, ranges, strict=False)
        ],
        "route_tables": list(network.private_route_table_ids),
        "cluster": existing.name if existing else None,
        "security_groups": [existing.security_group_id] if existing else [],
    }
