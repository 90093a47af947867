"""Instance groups: where each stands, what its nodes are called on, and what they are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.cloud import LifecyclePlan
from hyperpod_dpd.blueprint.networking import accelerator_key
from hyperpod_dpd.catalog import instance_type_regions, instance_types

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.cluster import InstanceGroup, Taint
    from hyperpod_dpd.config.environment import Environment
    from hyperpod_dpd.config.existing import LifecycleSource
    from hyperpod_dpd.config.updates import Update

GroupRole = Literal["system", "prefill", "decode", "shared", "worker"]
REGION_RULE = "DPD245"
"""Whoever acknowledges it knows better than the linters' lists of types per Region."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceGroupPlan:
    """One HyperPod instance group, placed in exactly one subnet.

    ``threads_per_core`` is 1 or 2; ``ebs_gib`` the extra volume per node; ``max_count`` what subnet
    sizes and quotas must allow; ``linter_refuses`` is true where CloudFormation's linters (E3644) doubt a
    type that the Region offers, ``cdk_refuses`` where only CDK's own validation does.
    """

    name: str
    role: GroupRole
    instance_type: str
    count: int
    max_count: int
    min_count: int | None
    subnet: str
    zone_id: str
    labels: Mapping[str, str]
    threads_per_core: int
    ebs_gib: int | None
    capacity: Literal["on-demand", "training-plan", "spot"]
    training_plan_arn: str | None
    deep_health_checks: tuple[str, ...]
    efa: bool
    taints: tuple[Taint, ...] = ()
    linter_refuses: bool = False
    cdk_refuses: bool = False
    alternatives: tuple[str, ...] = ()
    network_interface: Literal["efa", "efa-only"] | None = None
    update: Update | None = None
    auto_patch: Literal["WhenIdle", "WhenAllIdle"] | None = None
    image_id: str | None = None
    lifecycle: LifecyclePlan | None = None


def plan_groups(environment: Environment) -> tuple[InstanceGroupPlan, ...]:
    """Every group in the order of the document, in the one subnet of its zone."""
    return tuple(_group(environment, name) for name in environment.cluster.instance_groups)


def eks_name(loaded: LoadedEnvironment) -> str:
    """Name of the EKS cluster that the nodes join: the environment's own, or somebody else's."""
    existing = loaded.environment.cluster.existing
    return existing.name if existing else names.eks_cluster(loaded.name)


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
    zone = group.zone or environment.network.accelerator_zones[0].id
    role = _role(environment, name, gpus=known.gpus if known else 1)
    return InstanceGroupPlan(
        name=name,
        role=role,
        instance_type=group.instance_type,
        count=group.count,
        max_count=group.max_count if group.max_count is not None else group.count,
        min_count=_min_count(group, role),
        subnet=accelerator_key(zone),
        zone_id=zone,
        labels={names.ROLE_LABEL: role, **group.labels},
        threads_per_core=group.threads_per_core,
        ebs_gib=group.ebs_gib,
        capacity=group.capacity.kind,
        training_plan_arn=group.capacity.training_plan_arn,
        deep_health_checks=tuple(group.deep_health_checks),
        efa=bool(known and known.efa_interfaces),
        taints=tuple(group.taints),
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
        update=group.update,
        auto_patch=group.auto_patch,
    )


def _min_count(group: InstanceGroup, role: GroupRole) -> int | None:
    """A cluster counts as created before a node of it is: without one, the add-ons that follow wait in vain."""
    if group.min_count is None and role == "system" and group.count:
        return 1
    return group.min_count


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
