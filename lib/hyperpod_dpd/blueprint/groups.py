"""Instance groups: where each stands, what its nodes are called on, and what they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.cloud import LifecyclePlan, UpdatePlan
from hyperpod_dpd.blueprint.model import GroupRole, InstanceGroupPlan, TaintPlan
from hyperpod_dpd.blueprint.networking import accelerator_key
from hyperpod_dpd.catalog import instance_type_regions, instance_types

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.environment import Environment
    from hyperpod_dpd.config.existing import LifecycleSource

REGION_RULE = "DPD245"
"""Whoever acknowledges it knows better than the linters' lists of types per Region."""


def plan_groups(environment: Environment) -> tuple[InstanceGroupPlan, ...]:
    """Every group in the order of the document, in the one subnet of its zone."""
    return tuple(_group(environment, name) for name in environment.cluster.instance_groups)


def eks_name(loaded: LoadedEnvironment) -> str:
    """Name of the EKS cluster that the nodes join: the environment's own, or somebody else's."""
    existing = loaded.environment.cluster.existing
    return existing.name if existing else names.eks_cluster(loaded.name)


def zone_of(environment: Environment, group: str) -> str:
    """Zone id of a group; the only accelerator zone where the document leaves it out."""
    return environment.cluster.instance_groups[group].zone or environment.network.accelerator_zones[0].id


def lifecycle_source(given: LifecycleSource | None) -> LifecyclePlan | None:
    """Scripts in a bucket of somebody's, or None."""
    if given is None:
        return None
    bucket, _, folder = given.uri.removeprefix("s3://").partition("/")
    uri = f"s3://{bucket}/{folder.strip('/')}" if folder.strip("/") else f"s3://{bucket}"
    return LifecyclePlan(bucket=bucket, uri=uri, on_create=given.on_create)


def _group(environment: Environment, name: str) -> InstanceGroupPlan:
    group = environment.cluster.instance_groups[name]
    known = instance_types.get(group.instance_type)
    types = (group.instance_type, *group.alternatives)
    zone = zone_of(environment, name)
    role = _role(environment, name, gpus=known.gpus if known else 1)
    return InstanceGroupPlan(
        name=name,
        role=role,
        instance_type=group.instance_type,
        count=group.count,
        max_count=group.max_count if group.max_count is not None else group.count,
        min_count=group.min_count,
        subnet=accelerator_key(zone),
        zone_id=zone,
        labels={names.ROLE_LABEL: role, **group.labels},
        threads_per_core=group.threads_per_core,
        ebs_gib=group.ebs_gib,
        capacity=group.capacity.kind,
        training_plan_arn=group.capacity.training_plan_arn,
        deep_health_checks=tuple(group.deep_health_checks),
        efa=bool(known and known.efa_interfaces),
        taints=tuple(TaintPlan(key=t.key, value=t.value, effect=t.effect) for t in group.taints),
        linter_refuses=any(
            instance_types.linter_refuses_wrongly(each, environment.region)
            or (
                REGION_RULE in environment.acknowledge
                and instance_type_regions.absent(each, environment.region)
            )
            for each in types
        ),
        cdk_refuses=any(instance_type_regions.cdk_lags(each, environment.region) for each in types),
        alternatives=tuple(group.alternatives),
        network_interface=group.network_interface,
        image_id=group.image_id,
        lifecycle=lifecycle_source(group.lifecycle),
        update=UpdatePlan(
            window=group.update.window,
            batch_percent=group.update.batch_percent,
            wait_seconds=group.update.wait_seconds,
            alarms=tuple(group.update.alarms),
            batch_nodes=group.update.batch_nodes,
            rollback_batch_percent=group.update.rollback_batch_percent,
        )
        if group.update
        else None,
        auto_patch=group.auto_patch,
    )


def _role(environment: Environment, name: str, *, gpus: int) -> GroupRole:
    uses = {
        role
        for endpoint in environment.endpoints.values()
        for role, plan in (("prefill", endpoint.prefill), ("decode", endpoint.decode))
        if plan.instance_group == name
    }
    if uses == {"prefill"}:
        return "prefill"
    if uses == {"decode"}:
        return "decode"
    if uses:
        return "shared"
    return "worker" if gpus else "system"
