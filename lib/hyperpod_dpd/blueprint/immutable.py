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
        yield "eks-cluster kubernetes", cluster.kubernetes_version
        yield "eks-cluster zones", ", ".join(sorted(s.zone_id for s in network.of_kind("control-plane")))
    yield "operator release", blueprint.operator.release
    yield "eks-cluster secrets key", "own" if blueprint.own_kms_keys else "of EKS"
    yield "hyperpod-cluster", cluster.hyperpod_name
    yield "hyperpod-cluster orchestrator", "eks"
    yield "hyperpod-cluster subnet", cluster.default_subnet
    for group in cluster.groups:
        yield f"instance-group {group.name} subnet", group.subnet
        yield f"instance-group {group.name} kind", "several types" if group.alternatives else "one type"
        if not group.alternatives:
            yield f"instance-group {group.name} type", group.instance_type
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


def replaced(locked: Immutable, blueprint: Blueprint) -> dict[str, tuple[str, str | None]]:
    """Locked facts that the blueprint would change, to (locked, new); new is None for what would go.

    An instance group that goes is a deletion that the document states plainly, and none of these.
    """
    now = facts(blueprint)
    return {
        name: (value, now.get(name))
        for name, value in locked.facts.items()
        if now.get(name) != value
        and not (name.startswith("instance-group ") and name not in now)
        and not can_follow(name, value, now.get(name))
    }


def can_follow(name: str, locked: str, now: str | None) -> bool:
    """Whether AWS makes the step in place: Kubernetes one minor up, zones that are left, a later operator."""
    if now is None:
        return False
    if name == "eks-cluster kubernetes":
        (major, minor), (now_major, now_minor) = (_numbers(text)[:2] for text in (locked, now))
        return now_major == major and now_minor - minor in {0, 1}
    if name == "eks-cluster zones":
        return set(now.split(", ")) <= set(locked.split(", "))
    return name == "operator release" and _numbers(now) >= _numbers(locked)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


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
