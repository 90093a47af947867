from collections.abc import Iterator
from ipaddress import IPv4Network

from hyperpod_dpd.blueprint.networking import accelerator_key
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, Path, rule
from hyperpod_dpd.sizing.subnets import LARGEST_SUBNET_PREFIX, SMALLEST_SUBNET_PREFIX


@rule(
    ("DPD227", "subnet-ranges", ERROR, ENVIRONMENT),
    title="A subnet's range lies outside the VPC or over another subnet",
    what="""That the VPC's ranges have a size that AWS allows, that every subnet planned lies inside one of
    them and has an allowed size, and that no two subnets overlap.""",
    why="""CloudFormation refuses the one subnet and rolls back the whole network, minutes into the
    deployment.""",
    fine="Never.",
    fix="give the accelerator zone a range inside the VPC that no other subnet uses",
    sources="Amazon VPC user guide, subnet sizing",
    covers=("HI-1.1b",),
    tags=("network",),
    before="network: {accelerator_zones: [{id: usw2-az2, cidr: 10.50.0.0/18}]}",
    after="network: {accelerator_zones: [{id: usw2-az2, cidr: 10.192.128.0/18}]}",
)
def check(environment: EnvironmentView) -> Matches:
    plan = environment.blueprint.network
    if plan.vpc_cidr is None:
        return
    ranges: list[IPv4Network] = []
    for path, cidr in _vpc_ranges(environment):
        network = IPv4Network(cidr)
        if LARGEST_SUBNET_PREFIX <= network.prefixlen <= SMALLEST_SUBNET_PREFIX:
            ranges.append(network)
        else:
            yield Match(
                path, f"{cidr} is a /{network.prefixlen}; {_ALLOWED}", fix="choose a range of an allowed size"
            )
            return
    placed: list[tuple[IPv4Network, str]] = []
    for subnet in plan.subnets:
        if subnet.cidr is None:
            continue
        path = _where(environment, subnet.key)
        try:
            network = IPv4Network(subnet.cidr)
        except ValueError as error:
            yield Match(path, f"{subnet.key}: {error}")
            continue
        clash = next((f"{key} ({other})" for other, key in placed if other.overlaps(network)), None)
        placed.append((network, subnet.key))
        if not LARGEST_SUBNET_PREFIX <= network.prefixlen <= SMALLEST_SUBNET_PREFIX:
            yield Match(path, f"{subnet.key} would be {network}, a /{network.prefixlen}; {_ALLOWED}")
        elif not any(network.subnet_of(whole) for whole in ranges):
            whole = ", ".join(map(str, ranges))
            yield Match(path, f"{subnet.key} would be {network}, outside the VPC's {whole}")
        elif clash is not None:
            yield Match(path, f"{subnet.key} would be {network}, which overlaps {clash}")


_ALLOWED = f"a VPC and a subnet are a /{LARGEST_SUBNET_PREFIX} to a /{SMALLEST_SUBNET_PREFIX}"


def _vpc_ranges(environment: EnvironmentView) -> Iterator[tuple[Path, str]]:
    network = environment.document.network
    yield ("network", "cidr"), network.cidr
    for index, cidr in enumerate(network.secondary_cidrs):
        yield ("network", "secondary_cidrs", index), cidr


def _where(environment: EnvironmentView, key: str) -> Path:
    """The accelerator zone whose own cidr makes the subnet, else the VPC's range all places follow from."""
    for index, zone in enumerate(environment.document.network.accelerator_zones):
        if zone.cidr is not None and key == accelerator_key(zone.id):
            return ("network", "accelerator_zones", index, "cidr")
    return ("network", "cidr")
