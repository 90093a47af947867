"""Public subnets: only NAT gateways and internet-facing load balancers live here, never a node."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import CfnTag
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from hyperpod_dpd.blueprint.model import NatMode, SubnetPlan
from hyperpod_dpd.blueprint.names import PUBLIC_LOAD_BALANCER_TAG, network_resource
from infra.constructs.vpc import InternetGateway
from infra.place import EVERYWHERE


class PublicSubnets(Construct):
    """One subnet per zone behind the internet gateway, and the NAT gateways in them.

    ``nat_gateway_ids`` maps a zone id to the gateway in it, in the order of the plan.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: str,
        vpc_id: str,
        internet_gateway: InternetGateway,
        plans: Sequence[SubnetPlan],
        nat: NatMode,
    ) -> None:
        super().__init__(scope, id)
        self.subnet_ids: dict[str, str] = {}
        self.nat_gateway_ids: dict[str, str] = {}
        table = ec2.CfnRouteTable(
            self,
            "RouteTable",
            vpc_id=vpc_id,
            tags=[CfnTag(key="Name", value=network_resource(environment, "public"))],
        )
        table_id = table.ref
        route = ec2.CfnRoute(
            self,
            "DefaultRoute",
            route_table_id=table_id,
            destination_cidr_block=EVERYWHERE,
            gateway_id=internet_gateway.id,
        )
        route.node.add_dependency(internet_gateway.attached)
        gateways = {"single": 1, "per-zone": len(plans), "none": 0}[nat]
        for number, plan in enumerate(plans):
            subnet = ec2.CfnSubnet(
                self,
                plan.key,
                vpc_id=vpc_id,
                availability_zone_id=plan.zone_id,
                cidr_block=plan.cidr,
                map_public_ip_on_launch=False,
                tags=[
                    CfnTag(key="Name", value=network_resource(environment, plan.key)),
                    CfnTag(key=PUBLIC_LOAD_BALANCER_TAG, value="1"),
                ],
            )
            self.subnet_ids[plan.key] = subnet_id = subnet.ref
            ec2.CfnSubnetRouteTableAssociation(
                self, f"{plan.key}-routes", subnet_id=subnet_id, route_table_id=table_id
            )
            if number < gateways:
                self.nat_gateway_ids[plan.zone_id] = self._nat_gateway(environment, plan, subnet_id, route)

    def _nat_gateway(
        self, environment: str, plan: SubnetPlan, subnet_id: str, default_route: Construct
    ) -> str:
        tags = [CfnTag(key="Name", value=network_resource(environment, f"nat-{plan.zone_id}"))]
        address = ec2.CfnEIP(self, f"{plan.key}-address", domain="vpc", tags=tags)
        gateway = ec2.CfnNatGateway(
            self,
            f"{plan.key}-nat",
            subnet_id=subnet_id,
            allocation_id=address.attr_allocation_id,
            tags=tags,
        )
        gateway.node.add_dependency(default_route)
        return gateway.ref
