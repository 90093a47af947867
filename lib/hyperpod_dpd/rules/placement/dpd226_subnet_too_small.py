from collections.abc import Iterator

from hyperpod_dpd.catalog import instance_types, requirements
from hyperpod_dpd.rules.facts import InstanceGroupPlan
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, Path, rule
from hyperpod_dpd.sizing.errors import AddressPlanError
from hyperpod_dpd.sizing.subnets import (
    LARGEST_SUBNET_PREFIX,
    SMALLEST_SUBNET_PREFIX,
    NodeDemand,
    parse_network,
    shortage,
    usable_addresses,
)
from hyperpod_dpd.view.context import SUBNET_SIZE, MissingFact


@rule(
    ("DPD226", "subnet-too-small", ERROR, ENVIRONMENT),
    title="A subnet has too few addresses for its nodes",
    what="""That the subnet of each accelerator zone has an address for every network interface of all nodes
    its instance groups may grow to, each with the type that takes most, and that control-plane subnets have
    the addresses EKS asks for. Where the addresses of a node are derived from its network cards and not
    documented, the message says so.""",
    why="""A HyperPod node takes dozens of addresses, an EFA node of the P5 family more than eighty. The
    subnet of an instance group cannot be changed: when it is full, the group stops growing, and pods fail
    with an address that cannot be assigned.""",
    fine="""Where a derived number of addresses was seen to be less, or the group will not grow to its
    max_count.""",
    fix="give the accelerator zone a larger range, or run fewer nodes in it",
    sources="""SageMaker developer guide, HyperPod EKS prerequisites: addresses of a node | EKS user guide,
    subnet requirements; Amazon VPC user guide, reserved addresses""",
    covers=("A-14", "HI-0.7", "HI-1.1"),
    tags=("network", "sizing"),
    waivable=True,
    before="network: {accelerator_zones: [{id: usw2-az2, cidr: 10.192.64.0/26}]}",
    after="network: {accelerator_zones: [{id: usw2-az2, cidr: 10.192.64.0/20}]}",
)
def check(environment: EnvironmentView) -> Matches:
    found = list(_accelerators(environment)) + list(_control_plane(environment))
    yield from found
    network = environment.document.network
    if not found and network.existing is not None and any(z.cidr is None for z in network.accelerator_zones):
        raise MissingFact(SUBNET_SIZE)


def _accelerators(environment: EnvironmentView) -> Matches:
    subnets = {s.key: s for s in environment.blueprint.network.subnets}
    for index, entry in enumerate(environment.document.network.accelerator_zones):
        groups = [g for g in environment.blueprint.cluster.groups if g.zone_id == entry.id]
        demands = [(d, sure) for g in groups for d, sure in _demand(g)]
        cidr = entry.cidr or (subnets[groups[0].subnet].cidr if groups else None)
        if cidr is None or not demands or not _allowed(cidr):
            continue
        path: Path = ("network", "accelerator_zones", index, *(("cidr",) if entry.cidr else ()))
        try:
            missing = shortage(cidr, [d for d, _ in demands])
            certain = shortage(cidr, [d for d, sure in demands if sure])
        except AddressPlanError as error:
            yield Match(path, f"{entry.id}: {error}")
            continue
        if missing is None:
            continue
        message, _, remedy = missing.partition(": ")
        doubt = "" if certain else "; the addresses of a node are derived from its network cards"
        yield Match(path, f"{entry.id}: {message}{doubt}", fix=remedy or None)


def _allowed(cidr: str) -> bool:
    """A range of a size that no subnet can have is another rule's matter."""
    try:
        prefix = parse_network(cidr).prefixlen
    except AddressPlanError:
        return False  # such as a part of a VPC that is itself too small
    return LARGEST_SUBNET_PREFIX <= prefix <= SMALLEST_SUBNET_PREFIX


def _demand(group: InstanceGroupPlan) -> Iterator[tuple[NodeDemand, bool]]:
    types = [instance_types.get(name) for name in (group.instance_type, *group.alternatives)]
    sized = [
        (known.ips_per_node, known) for known in types if known is not None and known.ips_per_node is not None
    ]
    if not sized or not group.max_count:
        return
    addresses, known = max(sized, key=lambda each: each[0])
    demand = NodeDemand(f"{group.name} ({known.name})", ips_per_node=addresses, max_nodes=group.max_count)
    yield demand, "ips_per_node" not in known.unconfirmed


def _control_plane(environment: EnvironmentView) -> Matches:
    least = requirements.requirement("control_plane_free_addresses").value
    advised = requirements.requirement("recommended_control_plane_free_addresses").value
    for subnet in environment.blueprint.network.of_kind("control-plane"):
        if subnet.cidr is None:
            continue
        try:
            usable = usable_addresses(parse_network(subnet.cidr).prefixlen)
        except AddressPlanError:
            continue  # another rule refuses the range itself
        if usable < advised:
            yield Match(
                ("network", "cidr"),
                f"the control-plane subnet {subnet.cidr} has {usable} addresses; EKS needs {least} and recommends "
                f"{advised}",
                WARNING if usable >= least else None,
                fix="choose a larger network.cidr",
            )
            return
