"""VPC, subnets, routes, endpoints and the security group everything shares."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import Construct

from infra.constructs.efa_security_group import EfaSecurityGroup
from infra.constructs.flow_log import FlowLog
from infra.constructs.private_subnets import PrivateSubnets
from infra.constructs.public_subnets import PublicSubnets
from infra.constructs.vpc import Vpc
from infra.constructs.vpc_endpoints import VpcEndpoints
from infra.stacks.environment_stack import EnvironmentStack
from lib.blueprint import names
from lib.blueprint.model import Blueprint, NetworkPlan


class NetworkStack(EnvironmentStack):
    """Where the cluster stands; ``subnet_ids`` are by the key of the subnet's plan."""

    def __init__(self, scope: Construct, id: str, *, blueprint: Blueprint) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        plan = blueprint.network
        self.subnet_ids = {s.key: s.existing_id for s in plan.subnets if s.existing_id is not None}
        if plan.existing_vpc_id is not None:
            self.vpc_id = plan.existing_vpc_id
            route_table_ids = list(plan.private_route_table_ids)
        else:
            route_table_ids = self._own_vpc(blueprint.name, plan)
        self.security_group_id = EfaSecurityGroup(
            self,
            "EfaSecurityGroup",
            environment=blueprint.name,
            vpc_id=self.vpc_id,
            eks_name=blueprint.cluster.eks_name,
        ).group_id
        VpcEndpoints(
            self,
            "Endpoints",
            region=blueprint.region,
            vpc_id=self.vpc_id,
            route_table_ids=route_table_ids,
            interface_services=plan.interface_endpoints,
            interface_subnet_ids=[self.subnet_ids[s.key] for s in plan.of_kind("control-plane")],
            security_group_id=self.security_group_id,
        )
        if plan.flow_logs:
            FlowLog(
                self,
                "FlowLog",
                place=self.place,
                environment=blueprint.name,
                vpc_id=self.vpc_id,
                retention_days=blueprint.log_retention_days,
            )
        cdk.CfnOutput(self, names.OUTPUT_VPC_ID, value=self.vpc_id)

    def _own_vpc(self, environment: str, plan: NetworkPlan) -> list[str]:
        """Makes the VPC and its subnets; returns the private route tables."""
        if plan.vpc_cidr is None:
            raise ValueError("the network plan names neither an existing VPC nor the range of a new one")
        public = plan.of_kind("public")
        vpc = Vpc(
            self,
            "Vpc",
            name=names.network_resource(environment, "vpc"),
            cidr=plan.vpc_cidr,
            secondary_cidrs=plan.secondary_cidrs,
            internet=bool(public),
        )
        self.vpc_id = vpc.vpc_id
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
        return inside.route_table_ids
