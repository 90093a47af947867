"""Subnets at fixed places of the VPC, so that a zone added later moves none of the others."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.egress import Egress
    from hyperpod_dpd.config.network import AcceleratorZone, EndpointChoice, ExistingNetwork, Network

SubnetKind = Literal["public", "control-plane", "accelerator"]
NatMode = Literal["single", "per-zone", "none"]
SMALL_SUBNET_BITS = 8  # public and control-plane subnets: 256 of them would fill the VPC
SMALLEST_SUBNET_PREFIX = 27  # a load balancer wants no smaller one
QUARTERS = 4  # the first quarter holds the small subnets, each other one an accelerator zone
CONTROL_PLANE_SLOT = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class SubnetPlan:
    """One subnet. ``key`` names it in both programs and in construct ids, e.g. ``accelerator-usw2-az2``.

    ``existing_id`` is set when the VPC is not ours; ``cidr`` is then None.
    """

    key: str
    kind: SubnetKind
    zone_id: str
    zone_name: str | None
    cidr: str | None
    existing_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPlan:
    """The VPC. ``vpc_cidr`` is None when ``existing_vpc_id`` is set; ``secondary_cidrs`` are added to either.

    ``closed`` means no way out: AWS services are reached through interface endpoints, nothing else is. We make
    ``interface_endpoints``; ``their_endpoints`` are needed too and the VPC's owner has them, as the document says;
    ``left_out_endpoints`` are needed and reached in another way.
    ``existing_cidrs`` and ``private_route_table_ids`` are those of a VPC that is not ours; ``nat_gateway_ids`` (by
    zone id) and ``security_group_id`` are given ones that subnets and nodes made here use.
    """

    vpc_cidr: str | None
    secondary_cidrs: tuple[str, ...]
    existing_vpc_id: str | None
    existing_cidrs: tuple[str, ...]
    private_route_table_ids: tuple[str, ...]
    nat: NatMode
    subnets: tuple[SubnetPlan, ...]
    interface_endpoints: tuple[str, ...]
    flow_logs: bool
    closed: bool = False
    their_endpoints: tuple[str, ...] = ()
    left_out_endpoints: tuple[str, ...] = ()
    egress: tuple[Egress, ...] = ()
    nat_gateway_ids: Mapping[str, str] = field(default_factory=dict)
    security_group_id: str | None = None

    @property
    def ranges(self) -> tuple[str, ...]:
        """Every address range of the VPC, those that are added to it included."""
        first = self.existing_cidrs if self.vpc_cidr is None else (self.vpc_cidr,)
        return tuple(dict.fromkeys((*first, *self.secondary_cidrs)))

    def of_kind(self, kind: SubnetKind) -> tuple[SubnetPlan, ...]:
        return tuple(s for s in self.subnets if s.kind == kind)


def plan_network(loaded: LoadedEnvironment, *, needed: tuple[str, ...]) -> NetworkPlan:
    """The VPC and every subnet. Public ones exist only where a NAT gateway needs them.

    ``needed`` are the services that a closed network has to reach.
    """
    network = loaded.environment.network
    nat: NatMode = "none" if network.closed else network.nat
    choices = _choices(network, needed)
    wanted = dict.fromkeys((*needed, *network.more_endpoints, *_chosen(choices, "create")))
    given, left_out = set(_chosen(choices, "use")), set(_chosen(choices, "leave-out"))
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
        interface_endpoints=tuple(service for service in wanted if service not in given | left_out),
        flow_logs=network.flow_logs,
        closed=network.closed,
        their_endpoints=tuple(service for service in wanted if service in given),
        egress=tuple(network.egress),
        left_out_endpoints=tuple(service for service in wanted if service in left_out),
        nat_gateway_ids=dict(network.existing.nat_gateway_ids) if network.existing else {},
        security_group_id=network.existing.security_group_id if network.existing else None,
    )


def _choices(network: Network, needed: tuple[str, ...]) -> dict[str, EndpointChoice]:
    """What the document says of each service's endpoint in somebody else's VPC, in whichever form it says it."""
    told = network.existing.interface_endpoints if network.existing else False
    if isinstance(told, dict):
        return told
    there = (*needed, *network.more_endpoints) if told is True else told or ()
    return dict.fromkeys(there, "use")


def _chosen(choices: Mapping[str, EndpointChoice], choice: EndpointChoice) -> Iterator[str]:
    return (service for service, each in choices.items() if each == choice)


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
