"""Addresses for a VPC's subnets in fixed slots by kind and index, so that adding one never moves another.

A subnet cannot be moved once nodes live in it. Packing subnets one after the other moves all later ones when
one is added; here kind and index alone decide where a subnet lies, and unused slots stay reserved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network

from hyperpod_dpd.sizing.errors import AddressPlanError
from hyperpod_dpd.sizing.subnets import LARGEST_SUBNET_PREFIX, SMALLEST_SUBNET_PREFIX, parse_network


@dataclass(frozen=True, slots=True)
class SlotRange:
    """Where a kind's slots lie in the VPC's range, relative to its prefix.

    The region is number `region` among 2^region_bits equal parts; each slot is a 2^-slot_bits part of the
    whole.
    """

    region: int
    region_bits: int
    slot_bits: int

    @property
    def slots(self) -> int:
        """How many subnets of the kind there can be."""
        return int(2 ** (self.slot_bits - self.region_bits))


# In a /16: public 16 x /24, control plane 16 x /28, endpoints and storage 16 x /24, system nodes 8 x /21 (a
# quarter), accelerated nodes 8 x /20 (the upper half).
STANDARD_SLOTS: Mapping[str, SlotRange] = {
    "public": SlotRange(region=0, region_bits=4, slot_bits=8),
    "control_plane": SlotRange(region=16, region_bits=8, slot_bits=12),
    "storage": SlotRange(region=2, region_bits=4, slot_bits=8),
    "system": SlotRange(region=1, region_bits=2, slot_bits=5),
    "nodes": SlotRange(region=1, region_bits=1, slot_bits=4),
}


@dataclass(frozen=True, slots=True)
class SubnetRequest:
    """One subnet: its kind, its number within the kind (zone or group), and the prefix it wants.

    `secondary` is the number of the secondary CIDR it shall fill instead of a slot of the VPC's own range.
    """

    kind: str
    index: int
    prefix: int
    secondary: int | None = None

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.kind} subnet {self.index}"


@dataclass(frozen=True, slots=True)
class Subnet:
    """A subnet with its place."""

    kind: str
    index: int
    network: IPv4Network

    @property
    def cidr(self) -> str:
        """As written in templates."""
        return str(self.network)


def allocate(
    vpc_cidr: str,
    requests: Sequence[SubnetRequest],
    *,
    secondary_cidrs: Sequence[str] = (),
    slots: Mapping[str, SlotRange] = STANDARD_SLOTS,
) -> tuple[Subnet, ...]:
    """Places every request, in the order given; the place of each depends on its own kind, index and prefix
    only.

    Raises AddressPlanError, saying what to change, when one does not fit its slot or two overlap.
    """
    vpc = _vpc(vpc_cidr)
    secondaries = tuple(_vpc(cidr) for cidr in secondary_cidrs)
    for position, network in enumerate(secondaries):
        for other in (vpc, *secondaries[:position]):
            if network.overlaps(other):
                raise AddressPlanError(f"{network} and {other} overlap: give the VPC ranges that do not")
    placed = tuple(_place(vpc, secondaries, request, slots) for request in requests)
    for position, subnet in enumerate(placed):
        for earlier in placed[:position]:
            if subnet.network.overlaps(earlier.network):
                raise AddressPlanError(
                    f"{subnet.kind} subnet {subnet.index} ({subnet.cidr}) overlaps {earlier.kind} subnet "
                    f"{earlier.index} ({earlier.cidr}): give each its own index, or its own secondary CIDR"
                )
    return placed


def _vpc(cidr: str) -> IPv4Network:
    network = parse_network(cidr)
    if not LARGEST_SUBNET_PREFIX <= network.prefixlen <= SMALLEST_SUBNET_PREFIX:
        raise AddressPlanError(
            f"a VPC range is a /{LARGEST_SUBNET_PREFIX} to a /{SMALLEST_SUBNET_PREFIX}, found {network}"
        )
    return network


def _place(
    vpc: IPv4Network,
    secondaries: Sequence[IPv4Network],
    request: SubnetRequest,
    slots: Mapping[str, SlotRange],
) -> Subnet:
    if not LARGEST_SUBNET_PREFIX <= request.prefix <= SMALLEST_SUBNET_PREFIX:
        raise AddressPlanError(
            f"{request.label}: a subnet is a /{LARGEST_SUBNET_PREFIX} to a /{SMALLEST_SUBNET_PREFIX}, found "
            f"/{request.prefix}"
        )
    if request.secondary is not None:
        if not 0 <= request.secondary < len(secondaries):
            raise AddressPlanError(
                f"{request.label} wants secondary CIDR {request.secondary}, but {len(secondaries)} are "
                "given: add one"
            )
        room = secondaries[request.secondary]
        remedy = "give a larger secondary CIDR or a smaller subnet"
    else:
        room = _slot(vpc, request, slots)
        remedy = "widen the VPC's CIDR, ask for a smaller subnet, or give it a secondary CIDR"
    if request.prefix < room.prefixlen:
        raise AddressPlanError(
            f"{request.label} wants a /{request.prefix}, but its place {room} is a /{room.prefixlen}: "
            f"{remedy}"
        )
    return Subnet(request.kind, request.index, IPv4Network((int(room.network_address), request.prefix)))


def _slot(vpc: IPv4Network, request: SubnetRequest, slots: Mapping[str, SlotRange]) -> IPv4Network:
    place = slots.get(request.kind)
    if place is None:
        raise AddressPlanError(f"{request.kind!r} is not a kind of subnet; known are {', '.join(slots)}")
    if not 0 <= request.index < place.slots:
        raise AddressPlanError(
            f"{request.label}: the VPC's range has {place.slots} places for {request.kind} subnets (0 to "
            f"{place.slots - 1}); give it a secondary CIDR"
        )
    prefix = vpc.prefixlen + place.slot_bits
    if prefix > SMALLEST_SUBNET_PREFIX:
        raise AddressPlanError(
            f"{vpc} is too small: its places for {request.kind} subnets would be /{prefix}, and the "
            "smallest subnet "
            f"is a /{SMALLEST_SUBNET_PREFIX}: use a VPC range of "
            f"/{SMALLEST_SUBNET_PREFIX - place.slot_bits} or wider"
        )
    size = 2 ** (32 - prefix)
    region = place.region * 2 ** (32 - vpc.prefixlen - place.region_bits)
    return IPv4Network((int(vpc.network_address) + region + request.index * size, prefix))
