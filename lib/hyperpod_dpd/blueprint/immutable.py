"""Facts of an environment that no update can change: another value means another resource, and the old one's end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint.model import Blueprint

if TYPE_CHECKING:
    from hyperpod_dpd.config.immutable import Immutable

STATEFUL_TYPES = (
    "AWS::EC2::VPC",
    "AWS::EC2::Subnet",
    "AWS::EC2::SecurityGroup",
    "AWS::ECR::Repository",
    "AWS::EKS::Cluster",
    "AWS::FSx::FileSystem",
    "AWS::KMS::Key",
    "AWS::S3::Bucket",
    "AWS::SageMaker::Cluster",
    "AWS::APS::Workspace",
)
"""Resources that hold something which a replacement would lose."""


def facts(blueprint: Blueprint) -> dict[str, str]:
    """Every immutable fact by its name, sorted; values are texts that a reader of the lock understands."""
    return dict(sorted(_facts(blueprint)))


def _facts(blueprint: Blueprint) -> Iterator[tuple[str, str]]:
    network, cluster = blueprint.network, blueprint.cluster
    yield "account", blueprint.account
    yield "region", blueprint.region
    yield "vpc", network.existing_vpc_id or f"own, {network.vpc_cidr}"
    for subnet in network.subnets:
        yield f"subnet {subnet.key}", subnet.existing_id or f"{subnet.zone_id}, {subnet.cidr}"
    yield "security group", network.security_group_id or "own"  # of the HyperPod cluster, its groups and FSx
    yield "eks-cluster", cluster.eks_name
    yield "eks-cluster origin", "existing" if cluster.existing else "own"
    if cluster.existing is None:
        yield "kubernetes version", cluster.kubernetes_version
        yield "control-plane zones", ", ".join(sorted(s.zone_id for s in network.of_kind("control-plane")))
    yield "operator release", blueprint.operator.release
    yield "eks-cluster secrets key", "own" if blueprint.own_kms_keys else "of EKS"
    yield "hyperpod-cluster", cluster.hyperpod_name
    yield "hyperpod-cluster orchestrator", "eks"
    yield "hyperpod-cluster subnet", cluster.default_subnet
    for group in cluster.groups:
        yield f"instance-group {group.name} subnet", group.subnet
        yield f"instance-group {group.name} type", "several" if group.alternatives else group.instance_type
        yield f"instance-group {group.name} threads per core", str(group.threads_per_core)
        yield f"instance-group {group.name} role", blueprint.roles.nodes or "own"
        yield f"instance-group {group.name} capacity", "spot" if group.capacity == "spot" else "on-demand"
    for purpose in ("models", "lifecycle", "tls", "access_logs"):
        yield f"bucket {purpose.replace('_', '-')}", getattr(blueprint.buckets, purpose)
    system = blueprint.file_system
    if system is not None:
        yield "file-system subnet", system.subnet
        yield "file-system lustre", system.lustre_version
        yield "file-system data prefix", system.data_prefix


def logical_ids(templates: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Logical ids of all that holds state, by "<stack name> <type>", of templates by stack name."""
    found: dict[str, list[str]] = {}
    for stack, template in templates.items():
        for logical, resource in template["Resources"].items():
            if resource["Type"] in STATEFUL_TYPES:
                found.setdefault(f"{stack} {resource['Type']}", []).append(logical)
    return {key: sorted(ids) for key, ids in sorted(found.items())}


def gone(locked: Immutable, templates: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Locked logical ids that the templates have no more: CloudFormation would delete what they name."""
    now = logical_ids(templates)
    missing = {key: sorted(set(ids) - set(now.get(key, []))) for key, ids in locked.logical_ids.items()}
    return {key: ids for key, ids in missing.items() if ids}
