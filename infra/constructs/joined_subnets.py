"""Subnets of ours in somebody else's VPC, for the accelerator zones that it has none for."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import aws_ec2 as ec2
from constructs import Construct, IDependable

from hyperpod_dpd.blueprint.model import NetworkPlan, SubnetPlan
from infra.constructs.private_subnets import PrivateSubnets


class JoinedSubnets(Construct):
    """The missing subnets with routes to the given NAT gateways, and the ranges that are added to the VPC for them."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: str,
        vpc_id: str,
        plan: NetworkPlan,
        missing: Sequence[SubnetPlan],
    ) -> None:
        super().__init__(scope, id)
        ranges: list[IDependable] = [
            ec2.CfnVPCCidrBlock(self, f"Range-{cidr}", vpc_id=vpc_id, cidr_block=cidr)
            for cidr in plan.secondary_cidrs
        ]
        subnets = PrivateSubnets(
            self,
            "Private",
            environment=environment,
            vpc_id=vpc_id,
            secondary_ranges=ranges,
            nat_gateway_ids=plan.nat_gateway_ids,
            plans=missing,
        )
        self.subnet_ids = subnets.subnet_ids
        self.route_table_ids = subnets.route_table_ids
