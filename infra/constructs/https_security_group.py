"""A security group that admits HTTPS from named ranges, for what stands in the VPC and is called by others."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import CfnTag
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

HTTPS = 443
NOWHERE = "255.255.255.255/32"


class HttpsSecurityGroup(Construct):
    """TCP 443 from each of ``cidrs``, and no way out: what it guards answers and calls nobody.

    A group without any rule for the way out would get EC2's own, which is open to everywhere.
    """

    def __init__(
        self, scope: Construct, id: str, *, name: str, description: str, vpc_id: str, cidrs: Sequence[str]
    ) -> None:
        super().__init__(scope, id)
        group = ec2.CfnSecurityGroup(
            self,
            "Resource",
            group_description=description,
            vpc_id=vpc_id,
            security_group_ingress=[
                ec2.CfnSecurityGroup.IngressProperty(
                    ip_protocol="tcp",
                    from_port=HTTPS,
                    to_port=HTTPS,
                    cidr_ip=cidr,
                    description=f"HTTPS from {cidr}",
                )
                for cidr in cidrs
            ],
            security_group_egress=[
                ec2.CfnSecurityGroup.EgressProperty(
                    ip_protocol="icmp", from_port=252, to_port=86, cidr_ip=NOWHERE, description="No way out"
                )
            ],
            tags=[CfnTag(key="Name", value=name)],
        )
        self.group_id = group.attr_group_id
