"""The VPC of an environment and its way to the internet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aws_cdk import CfnTag
from aws_cdk import aws_ec2 as ec2
from constructs import Construct, IDependable


@dataclass(frozen=True, slots=True, kw_only=True)
class InternetGateway:
    """An internet gateway; ``attached`` is what a route through it has to wait for."""

    id: str
    attached: IDependable


class Vpc(Construct):
    """A VPC with its address ranges; ``internet`` adds the gateway that NAT needs."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        name: str,
        cidr: str,
        secondary_cidrs: Sequence[str],
        internet: bool,
    ) -> None:
        super().__init__(scope, id)
        vpc = ec2.CfnVPC(
            self,
            "Resource",
            cidr_block=cidr,
            enable_dns_support=True,
            enable_dns_hostnames=True,
            tags=[CfnTag(key="Name", value=name)],
        )
        self.vpc_id = vpc.ref
        self.secondary_ranges: list[IDependable] = [
            ec2.CfnVPCCidrBlock(self, f"Range-{secondary}", vpc_id=self.vpc_id, cidr_block=secondary)
            for secondary in secondary_cidrs
        ]
        self.internet_gateway: InternetGateway | None = None
        if internet:
            gateway = ec2.CfnInternetGateway(self, "InternetGateway")
            attachment = ec2.CfnVPCGatewayAttachment(
                self, "InternetAttachment", vpc_id=self.vpc_id, internet_gateway_id=gateway.ref
            )
            self.internet_gateway = InternetGateway(id=gateway.ref, attached=attachment)
