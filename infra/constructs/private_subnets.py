"""Private subnets: the control plane with the load balancers, and one subnet per accelerator zone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aws_cdk import CfnTag
from aws_cdk import aws_ec2 as ec2
from constructs import Construct, IDependable

from hyperpod_dpd.blueprint.model import SubnetPlan
from hyperpod_dpd.blueprint.names import INTERNAL_LOAD_BALANCER_TAG, network_resource
from infra.place import EVERYWHERE


class PrivateSubnets(Construct):
    """Subnets with a route table each, so that a zone can lose its NAT gateway without the others.

    Only control-plane subnets carry the load-balancer tag: an ALB needs two zones, and its addresses
    must not be taken from those that the accelerator nodes are sized for.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: str,
        vpc_id: str,
        secondary_ranges: Sequence[IDependable],
        nat_gateway_ids: Mapping[str, str],
        plans: Sequence[SubnetPlan],
    ) -> None:
        super().__init__(scope, id)
        self.subnet_ids: dict[str, str] = {}
        self.route_table_ids: list[str] = []
        fallback = next(iter(nat_gateway_ids.values()), None)
        for plan in plans:
            name = CfnTag(key="Name", value=network_resource(environment, plan.key))
            internal = CfnTag(key=INTERNAL_LOAD_BALANCER_TAG, value="1")
            subnet = ec2.CfnSubnet(
                self,
                plan.key,
                vpc_id=vpc_id,
                availability_zone_id=plan.zone_id,
                cidr_block=plan.cidr,
                map_public_ip_on_launch=False,
                tags=[name, internal] if plan.kind == "control-plane" else [name],
            )
            if secondary_ranges:
                subnet.node.add_dependency(*secondary_ranges)
            self.subnet_ids[plan.key] = subnet_id = subnet.ref
            table = ec2.CfnRouteTable(self, f"{plan.key}-table", vpc_id=vpc_id, tags=[name])
            table_id = table.ref
            self.route_table_ids.append(table_id)
            ec2.CfnSubnetRouteTableAssociation(
                self, f"{plan.key}-routes", subnet_id=subnet_id, route_table_id=table_id
            )
            gateway = nat_gateway_ids.get(plan.zone_id, fallback)
            if gateway is not None:
                ec2.CfnRoute(
                    self,
                    f"{plan.key}-default",
                    route_table_id=table_id,
                    destination_cidr_block=EVERYWHERE,
                    nat_gateway_id=gateway,
                )
