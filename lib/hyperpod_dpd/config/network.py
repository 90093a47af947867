"""The network part of an environment: its zones by id, its addresses, and the VPC it may already have."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from hyperpod_dpd.config.base import (
    Cidr,
    NatGatewayId,
    RouteTableId,
    Section,
    SecurityGroupId,
    SubnetId,
    ZoneId,
)
from hyperpod_dpd.config.egress import Egress


class AcceleratorZone(Section):
    """A zone that holds GPU nodes. The zone name is account-specific, hence optional."""

    id: ZoneId = Field(description="Zone id, the same in every account, such as usw2-az2.")
    name: str | None = Field(None, description="The zone's name in this account, such as us-west-2b.")
    cidr: Cidr | None = Field(
        None, description="Range of its accelerator subnet. Default: a fixed quarter of network.cidr."
    )


def _zone_from_text(value: Any) -> Any:
    return {"id": value} if isinstance(value, str) else value


ServiceName = Annotated[str, Field(pattern=r"^[a-z0-9]+([.-][a-z0-9]+)*$", examples=["ecr.api"])]
"""What follows com.amazonaws.<region>. in the name of an endpoint's service."""


EndpointChoice = Literal["create", "use", "leave-out"]
"""What is done about a service's interface endpoint in somebody else's VPC."""


class ExistingNetwork(Section):
    """A VPC that somebody else owns, named by ids so that synthesis looks nothing up."""

    vpc_id: str = Field(pattern=r"^vpc-[0-9a-f]{8,17}$")
    control_plane_subnets: dict[ZoneId, SubnetId] = Field(
        min_length=2, description="Zone id to subnet id, for the EKS control plane and load balancers."
    )
    accelerator_subnets: dict[ZoneId, SubnetId] = Field(
        default_factory=dict,
        description="Zone id to the one private subnet that holds that zone's GPU nodes. For a zone that is left "
        "out, a subnet of its cidr is made.",
    )
    nat_gateway_ids: dict[ZoneId, NatGatewayId] = Field(
        default_factory=dict,
        description="Zone id to the NAT gateway that subnets made here go out through; another zone's serves too.",
    )
    security_group_id: SecurityGroupId | None = Field(
        None,
        description="Of nodes, endpoints and file system, with all traffic from and to itself for EFA. Its rules "
        "stay its owner's. Default: one is made.",
    )
    cidrs: list[Cidr] = Field(min_length=1, description="All address ranges of the VPC.")
    private_route_table_ids: list[RouteTableId] = Field(
        default_factory=list, description="Route tables that get the S3 gateway endpoint."
    )
    interface_endpoints: bool | list[ServiceName] | dict[ServiceName, EndpointChoice] = Field(
        False,
        description="Services for which the VPC has interface endpoints already, such as ec2 or ecr.api; "
        "true: all that a closed network needs. By service: create one, use the one that is there, or leave-out "
        "what is reached in another way; what is not named is created.",
    )


class Network(Section):
    """Where the cluster stands. One accelerator subnet is made for each accelerator zone."""

    cidr: Cidr = Field("10.192.0.0/16", description="Primary range of the VPC.")
    secondary_cidrs: list[Cidr] = Field(
        default_factory=list,
        description="Further ranges of the VPC, for accelerator zones from the fourth on or by their own cidr; in an "
        "existing VPC they are added to it.",
    )
    control_plane_zones: list[ZoneId] = Field(
        min_length=2, description="At least two zones for the EKS control plane and load balancers."
    )
    accelerator_zones: list[
        Annotated[
            AcceleratorZone, BeforeValidator(_zone_from_text, json_schema_input_type=ZoneId | AcceleratorZone)
        ]
    ] = Field(min_length=1, description="Zones with GPU nodes. An endpoint lives in exactly one of them.")
    nat: Literal["single", "per-zone", "none"] = Field("single", description="NAT gateways.")
    flow_logs: bool = True
    closed: bool = Field(False, description="No way out: interface endpoints only, images mirrored.")
    more_endpoints: list[ServiceName] = Field(
        default_factory=list, description="Further services that get an interface endpoint."
    )
    egress: list[Egress] = Field(
        default_factory=list,
        description="What nodes and pods may reach beside HTTPS and each other: Git over ssh, a registry's port, "
        "file systems of others, DNS servers of your own (53, tcp and udp).",
    )
    existing: ExistingNetwork | None = None
