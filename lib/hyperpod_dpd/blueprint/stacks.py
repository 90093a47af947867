"""Which CloudFormation stacks an environment has: one that would hold no resource is not made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint

ORDER = (
    "network",
    "storage",
    "images",
    "control-plane",
    "delivery",
    "hyperpod",
    "addons",
    "observability",
)
"""In which they are deployed. Delivery comes before the nodes, so that what they need is there when they join."""


def stacks_of(blueprint: Blueprint) -> list[str]:
    """Ids of the stacks that this environment has, in the order of deployment."""
    watch = blueprint.observability
    there = {
        "network": _has_network(blueprint),
        "storage": _has_storage(blueprint),
        "images": blueprint.images.registry != "public",
        "control-plane": _has_control_plane(blueprint),
        "delivery": blueprint.argo_capability is not None,
        "observability": watch is not None and watch.enabled,
    }
    return [stack for stack in ORDER if there.get(stack, True)]


def _has_network(blueprint: Blueprint) -> bool:
    """Whether anything is made in the VPC: all of it may be somebody else's."""
    plan = blueprint.network
    return (
        plan.existing_vpc_id is None
        or plan.security_group_id is None
        or plan.flow_logs
        or bool(plan.private_route_table_ids or plan.interface_endpoints)
        or any(subnet.existing_id is None for subnet in plan.subnets)
    )


def _has_storage(blueprint: Blueprint) -> bool:
    """Whether a key, a bucket, a file system or a copy of scripts is made."""
    return bool(
        blueprint.own_kms_keys
        or blueprint.buckets.ours
        or blueprint.file_system is not None
        or blueprint.cluster.lifecycle_scripts is not None
    )


def _has_control_plane(blueprint: Blueprint) -> bool:
    """Whether an existing cluster lacks anything that comes before its nodes."""
    plan = blueprint.cluster
    return bool(
        plan.existing is None
        or plan.existing.create_oidc_provider
        or plan.admin_role_arns
        or plan.kubernetes_groups
        or any(not addon.needs_nodes for addon in blueprint.addons)
    )
