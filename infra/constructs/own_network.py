"""A VPC of the environment's own, with every subnet of the plan."""

from __future__ import annotations

from constructs import Construct

from hyperpod_dpd.blueprint.model import NetworkPlan
from hyperpod_dpd.blueprint.names import network_resource
from infra.constructs.private_subnets import PrivateSubnets
from infra.constructs.public_subnets import PublicSubnets
from infra.constructs.vpc import Vpc


class OwnNetwork(Construct):
    """The internet gateway exists only for public subnets, and these only for NAT gateways."""

    def __init__(self, scope: Construct, id: str, *, environment: str, plan: NetworkPlan) -> None:
        super().__init__(scope, id)
        if plan.vpc_cidr is None:
            raise ValueError("the network plan names neither an existing VPC nor the range of a new one")
        public = plan.of_kind("public")
        vpc = Vpc(
            self,
            "Vpc",
            name=network_resource(environment, "vpc"),
            cidr=plan.vpc_cidr,
            secondary_cidrs=plan.secondary_cidrs,
            internet=bool(public),
        )
        self.vpc_id = vpc.vpc_id
        self.subnet_ids: dict[str, str] = {}
        nat_gateway_ids: dict[str, str] = {}
        if vpc.internet_gateway is not None:
            outside = PublicSubnets(
                self,
                "Public",
                environment=environment,
                vpc_id=self.vpc_id,
                internet_gateway=vpc.internet_gateway,
                plans=public,
                nat=plan.nat,
            )
            self.subnet_ids |= outside.subnet_ids
            nat_gateway_ids = outside.nat_gateway_ids
        inside = PrivateSubnets(
            self,
            "Private",
            environment=environment,
            vpc_id=self.vpc_id,
            secondary_ranges=vpc.secondary_ranges,
            nat_gateway_ids=nat_gateway_ids,
            plans=[s for s in plan.subnets if s.kind != "public"],
        )
        self.subnet_ids |= inside.subnet_ids
        self.private_route_table_ids = inside.route_table_ids
