"""Networks and clusters that stand before anything is deployed, under the ids that a document names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from moto.ec2.models import ec2_backends, route_tables, security_groups, subnets, vpcs
from moto.eks.models import eks_backends


def stand(entry: dict[str, Any]) -> None:
    """A VPC with its subnets and route tables, and the EKS cluster where there is one."""
    backend = ec2_backends[entry["account"]][entry["region"]]
    first, *further = entry["cidrs"]
    with _id(vpcs, "random_vpc_id", entry["vpc_id"]):
        backend.create_vpc(first)
    for cidr in further:
        backend.associate_vpc_cidr_block(entry["vpc_id"], cidr, False)
    for subnet in entry["subnets"]:
        with _id(subnets, "random_subnet_id", subnet["id"]):
            backend.create_subnet(entry["vpc_id"], subnet["cidr"], availability_zone_id=subnet["zone_id"])
    for table in entry["route_tables"]:
        with _id(route_tables, "random_route_table_id", table):
            backend.create_route_table(entry["vpc_id"])
    for group in entry["security_groups"]:
        with _id(security_groups, "random_security_group_id", group):
            backend.create_security_group(group, "of the cluster", entry["vpc_id"])
    if entry["cluster"]:
        eks_backends[entry["account"]][entry["region"]].create_cluster(
            name=entry["cluster"],
            role_arn=f"arn:aws:iam::{entry['account']}:role/eks",
            resources_vpc_config={"subnetIds": [s["id"] for s in entry["subnets"]]},
        )


@contextmanager
def _id(module: Any, maker: str, wanted: str) -> Iterator[None]:
    """moto makes ids up; here they are given."""
    usual = getattr(module, maker)
    setattr(module, maker, lambda: wanted)
    try:
        yield
    finally:
        setattr(module, maker, usual)
