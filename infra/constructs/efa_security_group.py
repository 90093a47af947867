"""The one security group of nodes, control plane and file system, fit for EFA."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import CfnTag
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from hyperpod_dpd.blueprint.names import cluster_tag, network_resource
from hyperpod_dpd.config.egress import Egress, ports
from infra.place import EVERYWHERE

ALL_PROTOCOLS = "-1"
HTTPS = 443


class EfaSecurityGroup(Construct):
    """All traffic from itself and to itself, HTTPS to AWS, and the ways out of ``egress``; nothing wider.

    EFA addresses are neither IPv4 nor IPv6: no CIDR rule covers them, so the way out must name the group
    itself. HTTPS out serves S3 through its gateway endpoint (whose addresses are public) and, where there
    is a NAT gateway, registries. DNS, NTP and instance metadata are not subject to security groups.
    The inline rule also takes away the rule "all traffic to everywhere" that EC2 adds to a group that has none.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        environment: str,
        vpc_id: str,
        eks_name: str,
        egress: Sequence[Egress] = (),
    ) -> None:
        super().__init__(scope, id)
        group = ec2.CfnSecurityGroup(
            self,
            "Resource",
            group_description="Nodes, control plane, file system and endpoints: EFA among themselves",
            vpc_id=vpc_id,
            security_group_egress=[
                ec2.CfnSecurityGroup.EgressProperty(
                    ip_protocol="tcp",
                    from_port=HTTPS,
                    to_port=HTTPS,
                    cidr_ip=EVERYWHERE,
                    description="HTTPS to AWS and registries",
                )
            ],
            tags=[
                CfnTag(key="Name", value=network_resource(environment, "nodes")),
                CfnTag(key=cluster_tag(eks_name), value="shared"),
            ],
        )
        self.group_id = group.attr_group_id
        ec2.CfnSecurityGroupIngress(
            self,
            "FromItself",
            group_id=self.group_id,
            source_security_group_id=self.group_id,
            ip_protocol=ALL_PROTOCOLS,
            description="All traffic from this group, EFA included",
        )
        ec2.CfnSecurityGroupEgress(
            self,
            "ToItself",
            group_id=self.group_id,
            destination_security_group_id=self.group_id,
            ip_protocol=ALL_PROTOCOLS,
            description="All traffic to this group, EFA included",
        )
        for rule in egress:
            first, last = ports(rule.port)
            there = rule.to.replace("/", "|")
            ec2.CfnSecurityGroupEgress(
                self,
                f"To-{rule.protocol}-{rule.port}-{there}",
                group_id=self.group_id,
                ip_protocol=rule.protocol,
                from_port=first,
                to_port=last,
                cidr_ip=None if rule.to.startswith("sg-") else rule.to,
                destination_security_group_id=rule.to if rule.to.startswith("sg-") else None,
                description=rule.why,
            )
