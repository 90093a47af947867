"""The network part of the official templates' parameters as our document says it."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.importing.parameters import Given

DEFAULT_CIDR = "10.192.0.0/16"


def network_section(given: Given, groups: dict[str, dict[str, Any]], notes: list[str]) -> dict[str, Any]:
    """Zones, and the VPC that exists already or is made. Which subnet is in which zone no file says."""
    zones = given.items("AvailabilityZoneIds")
    control = given.items("EksAvailabilityZoneIds") or zones
    used = [group["zone"] for group in groups.values() if group.get("zone")]
    accelerators = list(dict.fromkeys(zone for zone in (*zones, *used) if zone in used)) or zones[:1]
    if len(accelerators) == 1:
        for group in groups.values():
            group.pop("zone", None)
    else:
        for group in groups.values():
            group.setdefault("zone", accelerators[0])
    cidr = given.text("VpcCIDR", DEFAULT_CIDR)
    section: dict[str, Any] = {} if cidr == DEFAULT_CIDR else {"cidr": cidr}
    section["control_plane_zones"] = control
    section["accelerator_zones"] = list(accelerators)
    if not given.flag("CreateVPCStack", default=True):
        section.pop("cidr", None)
        section["existing"] = _existing(given, zones, control, accelerators, cidr, notes)
    elif not given.flag("CreateSecurityGroupStack", default=True):
        notes.append(
            "CreateSecurityGroupStack: a VPC that is made here has no security group yet; one is made"
        )
    return section


def _existing(
    given: Given, zones: list[str], control: list[str], accelerators: list[str], cidr: str, notes: list[str]
) -> dict[str, Any]:
    existing: dict[str, Any] = {"vpc_id": given.text("VpcId"), "cidrs": [cidr]}
    existing["control_plane_subnets"] = dict(zip(control, given.items("EksPrivateSubnetIds"), strict=False))
    by_zone = dict(zip(zones, given.items("PrivateSubnetIds"), strict=False))
    existing["accelerator_subnets"] = {zone: by_zone[zone] for zone in accelerators if zone in by_zone}
    notes.append(
        "network.existing: which subnet is in which zone is not in the file; they are paired in the order of the "
        "zones: compare with `aws ec2 describe-subnets`"
    )
    notes.append("network.existing.cidrs: name every range of the VPC, secondary ones too")
    gateways = given.items("NatGatewayIds")
    if gateways:
        existing["nat_gateway_ids"] = dict(zip(zones, gateways, strict=False))
    if given.flag("CreateS3EndpointStack", default=True):
        tables = [*given.items("PrivateRouteTableIds"), *given.items("EksPrivateRouteTableIds")]
        existing["private_route_table_ids"] = list(dict.fromkeys(tables))
    if not given.flag("CreateSecurityGroupStack", default=True):
        security = given.items("SecurityGroupIds")
        existing["security_group_id"] = security[0] if security else None
        if security[1:]:
            notes.append(f"SecurityGroupIds: of {len(security)} groups the first is taken")
    return existing
