from collections import Counter
from collections.abc import Sequence

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.facts import EndpointPlan, InstanceGroupPlan, RolePlan
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, rule
from hyperpod_dpd.sizing.packing import nodes_needed, total_gpus


@rule(
    ("DPD216", "nodes-shared", ERROR, ENVIRONMENT),
    title="Endpoints that share an instance group have more pods than it has nodes",
    what="""That the nodes of an instance group hold the pods of all endpoints that use it together. A
    colocated endpoint asks for an instance type only, so its pods are counted on all groups of that type.""",
    why="""Each endpoint alone fits, so nothing is wrong with any of them; which pods are left Pending depends
    on which was applied first.""",
    fine="Never: an endpoint that is not deployed does not belong into the document yet.",
    fix="raise the group's count, or give each endpoint groups of its own",
    sources="""Kubernetes: the GPUs of a pod are on one node | SageMaker developer guide, DPD page: GPUs of a
    role""",
    covers=("R30",),
    tags=("placement", "capacity"),
    before="""endpoints:
      second:
        model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/second}}}
        prefill: {instance_group: prefill}
        decode: {instance_group: decode}""",
    after="""cluster: {instance_groups: {prefill: {count: 2}, decode: {count: 2}}}
    endpoints:
      second:
        model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/second}}}
        prefill: {instance_group: prefill}
        decode: {instance_group: decode}""",
)
def check(environment: EnvironmentView) -> Matches:
    plan = environment.blueprint
    pinned = [each for each in plan.endpoints if each.topology == "disaggregated"]
    for group in plan.cluster.groups:
        yield from _together(pinned, [group], pinned)
    if len(pinned) == len(plan.endpoints):
        return
    pools: dict[str, list[InstanceGroupPlan]] = {}
    for group in plan.cluster.groups:
        pools.setdefault(group.instance_type, []).append(group)
    for pool in pools.values():
        if any(_gpus(each, pool) for each in plan.endpoints if each not in pinned):
            yield from _together(plan.endpoints, pool, pinned)


def _together(
    endpoints: Sequence[EndpointPlan], pool: Sequence[InstanceGroupPlan], pinned: Sequence[EndpointPlan]
) -> Matches:
    """Whether the pods of ``endpoints`` fit on the nodes of ``pool``, groups of one instance type."""
    known = instance_types.get(pool[0].instance_type)
    if known is None or not known.gpus:
        return
    users = {each.name: gpus for each in endpoints if (gpus := _gpus(each, pool))}
    together = sum(users.values(), Counter[int]())
    needed, nodes = nodes_needed(together, node_gpus=known.gpus), sum(group.count for group in pool)
    if needed is None or needed <= nodes:
        return
    alone = (nodes_needed(_gpus(each, pool), node_gpus=known.gpus) for each in pinned)
    if any(least is None or least > nodes for least in alone):
        return  # one disaggregated endpoint by itself is too large: another rule says so
    first = next(role.group for each in endpoints for role in each.roles if _on(role, pool))
    count = next(group.count for group in pool if group.name == first)
    names = ", ".join(f"'{group.name}'" for group in pool)
    yield Match(
        ("cluster", "instance_groups", first, "count"),
        f"{', '.join(sorted(users))} put {together.total()} pods with {total_gpus(together)} GPUs on "
        f"{'groups' if len(pool) > 1 else 'group'} {names}; they need {needed} nodes, "
        f"{'these have' if len(pool) > 1 else 'it has'} {nodes}",
        fix=f"set count to {count + needed - nodes}, or give an endpoint groups of its own",
    )


def _on(role: RolePlan, pool: Sequence[InstanceGroupPlan]) -> bool:
    return any(role.group == group.name for group in pool)


def _gpus(endpoint: EndpointPlan, pool: Sequence[InstanceGroupPlan]) -> Counter[int]:
    """Number of the endpoint's pods on the groups by the GPUs of one pod."""
    pods: Counter[int] = Counter()
    for role in endpoint.roles:
        if _on(role, pool) and role.gpus and role.replicas > 0:
            pods[role.gpus] += role.replicas
    return pods
