"""The network that HyperPod nodes stand in, as templates show it: subnets, security groups, the way out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.view.template_values import branches, flat, items

if TYPE_CHECKING:
    from hyperpod_dpd.view.template import TemplateView

HYPERPOD = "AWS::SageMaker::Cluster"
SUBNET = "AWS::EC2::Subnet"
_EVERYWHERE = ("0.0.0.0/0", "::/0")
_TARGETS = (
    "NatGatewayId", "TransitGatewayId", "VpcPeeringConnectionId", "NetworkInterfaceId", "InstanceId", "VpcEndpointId",
    "GatewayId", "CarrierGatewayId", "CoreNetworkArn", "EgressOnlyInternetGatewayId", "LocalGatewayId",
)  # fmt: skip

Found = tuple["TemplateView", str]


def node_subnets(template: TemplateView) -> list[Found]:
    """Subnets of HyperPod nodes anywhere in the assembly, each once, with the template that makes it."""
    return _used(template, "Subnets", SUBNET)


def node_security_groups(template: TemplateView) -> list[Found]:
    """Security groups of HyperPod nodes, likewise."""
    return _used(template, "SecurityGroupIds", "AWS::EC2::SecurityGroup")


def network_of(subnet: Found) -> Found | None:
    """The VPC of a subnet; None where no template here makes it."""
    view, name = subnet
    found = view.target(_properties(view, name).get("VpcId"))
    return found if found and found[0].bodies[found[1]].get("Type") == "AWS::EC2::VPC" else None


def lacking_way_out(subnet: Found) -> str:
    """Why nothing outside its VPC is reached from a subnet without public addresses; empty where something is."""
    tables = _route_tables(subnet)
    if not tables:
        return "has no route table of its own, and that of its VPC leads nowhere else"
    if None in tables:
        return ""
    routes = [route for table in tables if table for route in _default_routes(table)]
    if not routes:
        return "has no default route"
    reasons = [_dead_end(view, properties) for view, properties in routes]
    return "" if "" in reasons else reasons[0]


def interface_endpoints(network: Found) -> set[str]:
    """Services that have an interface endpoint in a VPC, without Region ("ecr.api")."""
    view, name = network
    return {
        flat(properties.get("ServiceName")).split(".", 3)[-1]
        for each, _, properties in view.anywhere("AWS::EC2::VPCEndpoint")
        if properties.get("VpcEndpointType") == "Interface"
        and each.leads(properties.get("VpcId"), view, name)
    }


def _used(template: TemplateView, key: str, kind: str) -> list[Found]:
    found: dict[tuple[str, str], Found] = {}
    for view, _, cluster in template.anywhere(HYPERPOD):
        groups = [group for group in items(cluster.get("InstanceGroups")) if isinstance(group, Mapping)]
        for config in [cluster.get("VpcConfig"), *(group.get("OverrideVpcConfig") for group in groups)]:
            for choice in branches(config):
                for value in items(choice.get(key)) if isinstance(choice, Mapping) else ():
                    target = view.target(value)
                    if target and target[0].bodies[target[1]].get("Type") == kind:
                        found[target[0].document.file, target[1]] = target
    return list(found.values())


def _route_tables(subnet: Found) -> list[Found | None]:
    """Route tables tied to a subnet; None for one that no template here makes."""
    view, name = subnet
    return [
        each.target(properties.get("RouteTableId"))
        for each, _, properties in view.anywhere("AWS::EC2::SubnetRouteTableAssociation")
        if each.leads(properties.get("SubnetId"), view, name)
    ]


def _default_routes(table: Found) -> Iterator[tuple[TemplateView, Mapping[str, Any]]]:
    """Routes to everywhere; one to a prefix list or to a parameter's range may be one and counts."""
    view, name = table
    for each, _, properties in view.anywhere("AWS::EC2::Route"):
        if not each.leads(properties.get("RouteTableId"), view, name):
            continue
        to = properties.get("DestinationCidrBlock") or properties.get("DestinationIpv6CidrBlock")
        if to in _EVERYWHERE or not isinstance(to, str):
            yield each, properties


def _dead_end(view: TemplateView, route: Mapping[str, Any]) -> str:
    key = next((key for key in _TARGETS if key in route), "")
    if not key:
        return "has a default route without a target"
    value = route[key]
    target = view.target(value)
    if target is None:
        known = (
            isinstance(value, Mapping)
            and value.get("Ref") is not None
            and not view.is_parameter(value["Ref"])
        )
        return f"has a default route to {flat_name(value)}, which no template here makes" if known else ""
    kind = target[0].bodies[target[1]].get("Type")
    if kind == "AWS::EC2::InternetGateway":
        return f"has its default route to the internet gateway {target[1]}, useless without public addresses"
    if kind == "AWS::EC2::NatGateway":
        return _dead_nat(target)
    return ""


def _dead_nat(nat: Found) -> str:
    view, name = nat
    properties = _properties(view, name)
    public = view.target(properties.get("SubnetId"))
    if properties.get("ConnectivityType") == "private" or public is None:
        return ""
    tables = _route_tables(public)
    routes = [route for table in tables if table for route in _default_routes(table)]
    return (
        ""
        if routes or None in tables
        else f"goes out through {name}, whose subnet {public[1]} has no default route"
    )


def flat_name(value: Any) -> str:
    """A reference as its bare name."""
    return str(next(iter(value.values()))) if isinstance(value, Mapping) and value else flat(value)


def _properties(view: TemplateView, name: str) -> Mapping[str, Any]:
    properties = view.bodies[name].get("Properties")
    return properties if isinstance(properties, Mapping) else {}
