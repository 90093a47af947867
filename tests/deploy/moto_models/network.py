"""Subnets by zone id, second address ranges, and security groups without the rule that opens everything."""

from __future__ import annotations

from typing import Any

from moto.ec2.models import ec2_backends
from moto.ec2.models.security_groups import SecurityGroup
from moto.ec2.models.subnets import Subnet
from moto.ec2.models.vpcs import VPC

from tests.deploy.moto_models.model import Made, Place, declare

_vpc_as_moto_makes_it = VPC.create_from_cloudformation_json.__func__  # type: ignore[attr-defined]
_group_as_moto_makes_it = SecurityGroup.create_from_cloudformation_json.__func__  # type: ignore[attr-defined]


def _range(place: Place, properties: dict[str, Any]) -> Made:
    backend = ec2_backends[place.account][place.region]
    made = backend.associate_vpc_cidr_block(properties["VpcId"], properties["CidrBlock"], False)
    return Made(made["association_id"])


def _egress(place: Place, properties: dict[str, Any]) -> Made:
    authorize(ec2_backends[place.account][place.region], properties["GroupId"], properties)
    return Made(place.logical_id)


def authorize(backend: Any, group_id: str, rule: dict[str, Any]) -> None:
    """One rule for the way out, spelled as CloudFormation spells it."""
    other = rule.get("DestinationSecurityGroupId")
    cidr = {"CidrIp": rule["CidrIp"], "Description": rule.get("Description")} if "CidrIp" in rule else None
    backend.authorize_security_group_egress(
        group_name_or_id=group_id,
        ip_protocol=rule["IpProtocol"],
        from_port=rule.get("FromPort"),
        to_port=rule.get("ToPort"),
        ip_ranges=[cidr] if cidr else [],
        source_groups=[{"GroupId": other}] if other else [],
    )


def _group(
    cls: Any, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kw: Any
) -> Any:
    """As EC2 does: rules given in the template replace the one that lets all traffic out."""
    group = _group_as_moto_makes_it(cls, resource_name, cloudformation_json, account_id, region_name, **kw)
    rules = cloudformation_json["Properties"].get("SecurityGroupEgress")
    if rules:
        backend = ec2_backends[account_id][region_name]
        group.egress_rules.clear()
        for rule in rules:
            authorize(backend, group.id, rule)
    return group


def _subnet(
    cls: Any, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kw: Any
) -> Any:
    properties = cloudformation_json["Properties"]
    backend = ec2_backends[account_id][region_name]
    subnet = backend.create_subnet(
        vpc_id=properties["VpcId"],
        cidr_block=properties["CidrBlock"],
        availability_zone=properties.get("AvailabilityZone"),
        availability_zone_id=properties.get("AvailabilityZoneId"),
    )
    subnet.map_public_ip_on_launch = properties.get("MapPublicIpOnLaunch", False)
    for tag in properties.get("Tags", []):
        subnet.add_tag(tag["Key"], tag["Value"])
    return subnet


def _vpc(
    cls: Any, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kw: Any
) -> Any:
    """moto's CloudFormation forgets what a VPC says of DNS."""
    vpc = _vpc_as_moto_makes_it(cls, resource_name, cloudformation_json, account_id, region_name, **kw)
    backend = ec2_backends[account_id][region_name]
    for cloudformation, ec2 in (
        ("EnableDnsSupport", "enable_dns_support"),
        ("EnableDnsHostnames", "enable_dns_hostnames"),
    ):
        if cloudformation in cloudformation_json["Properties"]:
            backend.modify_vpc_attribute(vpc.id, ec2, cloudformation_json["Properties"][cloudformation])
    return vpc


def _routes(place: Place, properties: dict[str, Any]) -> Made:
    """moto keeps CloudFormation's associations where describe_route_tables does not look."""
    backend = ec2_backends[place.account][place.region]
    made = backend.associate_route_table(
        route_table_id=properties["RouteTableId"], subnet_id=properties["SubnetId"]
    )
    return Made(made)


VPC.create_from_cloudformation_json = classmethod(_vpc)  # type: ignore[assignment,method-assign]
SecurityGroup.create_from_cloudformation_json = classmethod(_group)  # type: ignore[assignment,method-assign]
Subnet.create_from_cloudformation_json = classmethod(_subnet)  # type: ignore[assignment,method-assign]

MODELS = (
    declare("AWS::EC2::VPCCidrBlock", _range),
    declare("AWS::EC2::SecurityGroupEgress", _egress),
    declare("AWS::EC2::SubnetRouteTableAssociation", _routes),
)
