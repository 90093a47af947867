"""Subnets at fixed places of the VPC, so that a zone added later moves none of the others."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.model import NatMode, NetworkPlan, SubnetKind, SubnetPlan

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.network import AcceleratorZone, ExistingNetwork, Network

SMALL_SUBNET_BITS = 8  # public and control-plane subnets: 256 of them would fill the VPC
SMALLEST_SUBNET_PREFIX = 27  # a load balancer wants no smaller one
QUARTERS = 4  # the first quarter holds the small subnets, each other one an accelerator zone
CONTROL_PLANE_SLOT = 16


def plan_network(loaded: LoadedEnvironment, *, needed: tuple[str, ...]) -> NetworkPlan:
    """The VPC and every subnet. Public ones exist only where a NAT gateway needs them.

    ``needed`` are the services that a closed network has to reach.
    """
    network = loaded.environment.network
    nat: NatMode = "none" if network.closed else network.nat
    theirs = network.existing.interface_endpoints if network.existing else False
    wanted = dict.fromkeys((*needed, *network.more_endpoints))
    given = wanted if theirs is True else set(theirs or ())
    zone_names = dict(loaded.outputs.zone_names)
    zone_names.update({z.id: z.name for z in network.accelerator_zones if z.name})
    subnets = (
        _existing(network, network.existing, zone_names)
        if network.existing
        else _own(network, nat, zone_names)
    )
    return NetworkPlan(
        vpc_cidr=None if network.existing else network.cidr,
        secondary_cidrs=tuple(network.secondary_cidrs),
        existing_vpc_id=network.existing.vpc_id if network.existing else None,
        existing_cidrs=tuple(network.existing.cidrs) if network.existing else (),
        private_route_table_ids=(tuple(network.existing.private_route_table_ids) if network.existing else ()),
        nat="none" if network.existing else nat,
        subnets=tuple(subnets),
        interface_endpoints=tuple(service for service in wanted if service not in given),
        flow_logs=network.flow_logs,
        closed=network.closed,
        their_endpoints=tuple(service for service in wanted if service in given),
        nat_gateway_ids=dict(network.existing.nat_gateway_ids) if network.existing else {},
        security_group_id=network.existing.security_group_id if network.existing else None,
    )


def accelerator_key(zone_id: str) -> str:
    """Key of the one subnet that holds a zone's GPU nodes."""
    return f"accelerator-{zone_id}"


def _own(network: Network, nat: NatMode, names: dict[str, str]) -> list[SubnetPlan]:
    vpc = ipaddress.IPv4Network(network.cidr)
    subnets: list[SubnetPlan] = []
    if nat != "none":
        zones = network.control_plane_zones
        subnets += [_subnet("public", zone, names, _small(vpc, slot)) for slot, zone in enumerate(zones)]
    subnets += [
        _subnet("control-plane", zone, names, _small(vpc, control_plane_slot(vpc) + slot))
        for slot, zone in enumerate(network.control_plane_zones)
    ]
    subnets += [
        _subnet("accelerator", zone.id, names, _accelerator(network, vpc, slot, zone))
        for slot, zone in enumerate(network.accelerator_zones)
    ]
    return subnets


def _subnet(kind: SubnetKind, zone: str, names: dict[str, str], cidr: str) -> SubnetPlan:
    return SubnetPlan(key=f"{kind}-{zone}", kind=kind, zone_id=zone, zone_name=names.get(zone), cidr=cidr)


def control_plane_slot(vpc: ipaddress.IPv4Network) -> int:
    """Place of the first control-plane subnet among the small ones: public subnets come before it."""
    return min(CONTROL_PLANE_SLOT, small_slots(vpc) // 2)


def small_slots(vpc: ipaddress.IPv4Network) -> int:
    """How many small subnets the first quarter of a VPC holds."""
    prefix = min(SMALLEST_SUBNET_PREFIX, vpc.prefixlen + SMALL_SUBNET_BITS)
    return int(vpc.num_addresses // QUARTERS // 2 ** (32 - prefix))


def _small(vpc: ipaddress.IPv4Network, slot: int) -> str:
    prefix = min(SMALLEST_SUBNET_PREFIX, vpc.prefixlen + SMALL_SUBNET_BITS)
    size = 2 ** (32 - prefix)
    return f"{vpc.network_address + slot * size}/{prefix}"


def _accelerator(network: Network, vpc: ipaddress.IPv4Network, slot: int, zone: AcceleratorZone) -> str:
    if zone.cidr:
        return zone.cidr
    if slot + 1 < QUARTERS:
        quarter = vpc.num_addresses // QUARTERS
        return f"{vpc.network_address + (slot + 1) * quarter}/{vpc.prefixlen + 2}"
    return network.secondary_cidrs[slot + 1 - QUARTERS]


def _existing(network: Network, existing: ExistingNetwork, names: dict[str, str]) -> list[SubnetPlan]:
    """Their subnets by id; an accelerator zone without one gets a subnet of its own range."""
    ranges = {z.id: z.cidr for z in network.accelerator_zones}
    plans: list[SubnetPlan] = []
    kinds: list[tuple[SubnetKind, list[str], dict[str, str]]] = [
        ("control-plane", network.control_plane_zones, existing.control_plane_subnets),
        ("accelerator", [z.id for z in network.accelerator_zones], existing.accelerator_subnets),
    ]
    for kind, zones, ids in kinds:
        plans += [
            SubnetPlan(
                key=f"{kind}-{zone}",
                kind=kind,
                zone_id=zone,
                zone_name=names.get(zone),
                cidr=None if zone in ids else ranges[zone],
                existing_id=ids.get(zone),
            )
            for zone in zones
        ]
    return plans
