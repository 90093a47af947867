"""How many addresses a set of nodes needs and which subnet holds them: HyperPod nodes take dozens each."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network

from hyperpod_dpd.sizing.errors import AddressPlanError

# AWS keeps the first four addresses and the last of every subnet; a subnet is a /16 to a /28.
RESERVED_ADDRESSES = 5
LARGEST_SUBNET_PREFIX = 16
SMALLEST_SUBNET_PREFIX = 28


@dataclass(frozen=True, slots=True)
class NodeDemand:
    """Nodes of one instance group in one subnet: how many at most, and addresses each takes."""

    name: str
    ips_per_node: int
    max_nodes: int

    def __post_init__(self) -> None:
        for what, value, least in (
            ("addresses per node", self.ips_per_node, 1),
            ("max nodes", self.max_nodes, 0),
        ):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise AddressPlanError(
                    f"{self.name}: {what} must be a whole number from {least} up, found {value!r}"
                )

    @property
    def addresses(self) -> int:
        """Addresses all of them take."""
        return self.ips_per_node * self.max_nodes


def usable_addresses(prefix: int) -> int:
    """Addresses a subnet of that prefix offers: 2^(32-m) - 5."""
    if not LARGEST_SUBNET_PREFIX <= prefix <= SMALLEST_SUBNET_PREFIX:
        raise AddressPlanError(
            f"a subnet is a /{LARGEST_SUBNET_PREFIX} to a /{SMALLEST_SUBNET_PREFIX}, found /{prefix}"
        )
    return int(2 ** (32 - prefix)) - RESERVED_ADDRESSES


def addresses_needed(
    demands: Iterable[NodeDemand], *, headroom_percent: int = 0, other_addresses: int = 0
) -> int:
    """Addresses for all demands, a share more (rounded up), and fixed others such as endpoints or a file
    system."""
    if headroom_percent < 0 or other_addresses < 0:
        raise AddressPlanError("headroom and other addresses must not be negative")
    nodes = sum(demand.addresses for demand in demands)
    return nodes + -(-nodes * headroom_percent // 100) + other_addresses


def smallest_prefix(addresses: int) -> int:
    """Prefix of the smallest subnet that offers so many addresses; AddressPlanError when no single subnet
    does."""
    for prefix in range(SMALLEST_SUBNET_PREFIX, LARGEST_SUBNET_PREFIX - 1, -1):
        if usable_addresses(prefix) >= addresses:
            return prefix
    raise AddressPlanError(
        f"{addresses:,} addresses exceed the largest subnet, a /{LARGEST_SUBNET_PREFIX} with "
        f"{usable_addresses(LARGEST_SUBNET_PREFIX):,}: spread the nodes over several subnets"
    )


def nodes_that_fit(prefix: int, *, ips_per_node: int) -> int:
    """Nodes of one kind a subnet of that prefix holds."""
    return usable_addresses(prefix) // ips_per_node


def shortage(cidr: str, demands: Iterable[NodeDemand], *, other_addresses: int = 0) -> str | None:
    """Why a subnet is too small for its nodes and what would do; None when they fit."""
    wanted = [demand for demand in demands if demand.max_nodes]
    network = parse_network(cidr)
    needed = addresses_needed(wanted, other_addresses=other_addresses)
    usable = usable_addresses(network.prefixlen)
    if needed <= usable:
        return None
    remedy = f"use at least a /{smallest_prefix(needed)}, or fewer nodes"
    if len(wanted) == 1 and not other_addresses:
        demand = wanted[0]
        return (
            f"{network} holds {nodes_that_fit(network.prefixlen, ips_per_node=demand.ips_per_node)} "
            f"{demand.name} "
            f"nodes; {demand.max_nodes} need {needed:,} addresses: {remedy}"
        )
    parts = ", ".join(f"{demand.max_nodes} {demand.name} x {demand.ips_per_node}" for demand in wanted)
    others = f", {other_addresses} others" if other_addresses else ""
    return f"{network} offers {usable:,} addresses; {parts}{others} need {needed:,}: {remedy}"


def parse_network(cidr: str) -> IPv4Network:
    """A CIDR as a network; AddressPlanError when it is none, or has host bits set."""
    try:
        return IPv4Network(cidr)
    except ValueError as error:
        raise AddressPlanError(f"{cidr!r} is not an IPv4 network such as 10.0.0.0/16 ({error})") from error
