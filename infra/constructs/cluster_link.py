"""The way between our nodes and the rest of an EKS cluster that is not ours."""

from __future__ import annotations

from aws_cdk import aws_ec2 as ec2
from constructs import Construct

ALL_PROTOCOLS = "-1"


class ClusterLink(Construct):
    """All traffic between the group of our nodes and the cluster security group, both ways.

    Pods of either side talk to each other on ports of their choice (DNS, webhooks, the operator), as members of
    one cluster do. A node in our group alone keeps the EFA rules; joining the other group too would not.
    """

    def __init__(self, scope: Construct, id: str, *, node_group_id: str, cluster_group_id: str) -> None:
        super().__init__(scope, id)
        for name, here, there in (
            ("Nodes", node_group_id, cluster_group_id),
            ("Cluster", cluster_group_id, node_group_id),
        ):
            ec2.CfnSecurityGroupIngress(
                self,
                f"Into{name}",
                group_id=here,
                source_security_group_id=there,
                ip_protocol=ALL_PROTOCOLS,
                description="One Kubernetes cluster: HyperPod nodes and the rest of it",
            )
        ec2.CfnSecurityGroupEgress(
            self,
            "OutOfNodes",
            group_id=node_group_id,
            destination_security_group_id=cluster_group_id,
            ip_protocol=ALL_PROTOCOLS,
            description="One Kubernetes cluster: HyperPod nodes and the rest of it",
        )
