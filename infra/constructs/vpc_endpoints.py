"""Ways to AWS services that do not leave the VPC."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import aws_ec2 as ec2
from constructs import Construct


class VpcEndpoints(Construct):
    """The S3 gateway on every private route table, and the interface endpoints that were asked for, in one group."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        region: str,
        vpc_id: str,
        route_table_ids: Sequence[str],
        interface_services: Sequence[str],
        interface_subnet_ids: Sequence[str],
        security_group_id: str | None,
    ) -> None:
        super().__init__(scope, id)
        if route_table_ids:
            ec2.CfnVPCEndpoint(
                self,
                "s3",
                vpc_id=vpc_id,
                vpc_endpoint_type="Gateway",
                service_name=f"com.amazonaws.{region}.s3",
                route_table_ids=list(route_table_ids),
            )
        for service in interface_services:
            ec2.CfnVPCEndpoint(
                self,
                service,
                vpc_id=vpc_id,
                vpc_endpoint_type="Interface",
                service_name=f"com.amazonaws.{region}.{service}",
                private_dns_enabled=True,
                subnet_ids=list(interface_subnet_ids),
                security_group_ids=[security_group_id] if security_group_id else None,
            )
