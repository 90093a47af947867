"""VPC, subnets, routes, endpoints and the security group everything shares."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import Construct

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Blueprint
from infra.constructs.cluster_link import ClusterLink
from infra.constructs.efa_security_group import EfaSecurityGroup
from infra.constructs.flow_log import FlowLog
from infra.constructs.https_security_group import HttpsSecurityGroup
from infra.constructs.joined_subnets import JoinedSubnets
from infra.constructs.own_network import OwnNetwork
from infra.constructs.vpc_endpoints import VpcEndpoints
from infra.stacks.environment_stack import EnvironmentStack


class NetworkStack(EnvironmentStack):
    """Where the cluster stands; ``subnet_ids`` are by the key of the subnet's plan."""

    def __init__(self, scope: Construct, id: str, *, blueprint: Blueprint) -> None:
        super().__init__(scope, id, blueprint=blueprint)
        plan = blueprint.network
        if plan.existing_vpc_id is None:
            own = OwnNetwork(self, "Own", environment=blueprint.name, plan=plan)
            self.vpc_id, self.subnet_ids = own.vpc_id, own.subnet_ids
            route_table_ids = own.private_route_table_ids
        else:
            self.vpc_id = plan.existing_vpc_id
            self.subnet_ids = {s.key: s.existing_id for s in plan.subnets if s.existing_id is not None}
            route_table_ids = list(plan.private_route_table_ids)
            missing = [s for s in plan.subnets if s.existing_id is None]
            if missing:
                joined = JoinedSubnets(
                    self,
                    "Joined",
                    environment=blueprint.name,
                    vpc_id=self.vpc_id,
                    plan=plan,
                    missing=missing,
                )
                self.subnet_ids |= joined.subnet_ids
                route_table_ids += joined.route_table_ids
        self.security_group_id = plan.security_group_id or self._security_group(blueprint)
        existing = blueprint.cluster.existing
        if existing is not None and plan.security_group_id is None:
            ClusterLink(
                self,
                "ClusterLink",
                node_group_id=self.security_group_id,
                cluster_group_id=existing.security_group_id,
            )
        VpcEndpoints(
            self,
            "Endpoints",
            region=blueprint.region,
            vpc_id=self.vpc_id,
            route_table_ids=route_table_ids,
            interface_services=plan.interface_endpoints,
            interface_subnet_ids=[self.subnet_ids[s.key] for s in plan.of_kind("control-plane")],
            security_group_id=self._endpoint_access(blueprint) if plan.interface_endpoints else None,
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

    def _endpoint_access(self, blueprint: Blueprint) -> str:
        """A private DNS name answers for the whole VPC, so all of the VPC must get through to what it names."""
        return HttpsSecurityGroup(
            self,
            "EndpointAccess",
            name=names.network_resource(blueprint.name, "endpoints"),
            description="Interface endpoints: HTTPS from every range of the VPC",
            vpc_id=self.vpc_id,
            cidrs=blueprint.network.ranges,
        ).group_id

    def _security_group(self, blueprint: Blueprint) -> str:
        return EfaSecurityGroup(
            self,
            "EfaSecurityGroup",
            environment=blueprint.name,
            vpc_id=self.vpc_id,
            eks_name=blueprint.cluster.eks_name,
            egress=blueprint.network.egress,
        ).group_id
