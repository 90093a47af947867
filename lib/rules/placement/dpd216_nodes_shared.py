"""
What it checks
--------------
That the nodes of an instance group hold the pods of all endpoints that use it together, colocated ones
included.

Why it matters
--------------
Each endpoint alone fits, so nothing is wrong with any of them; which pods are left Pending depends on which was
applied first.

When this is fine
-----------------
While one of the endpoints is not deployed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.catalog import instance_types
from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from lib.sizing.packing import nodes_needed, total_gpus

if TYPE_CHECKING:
    from lib.blueprint.model import EndpointPlan, InstanceGroupPlan
    from lib.view.environment import EnvironmentView

RULE = Rule(
    id="DPD216",
    name="nodes-shared",
    severity=Severity.ERROR,
    title="Endpoints that share an instance group have more pods than it has nodes",
    fix="raise the group's count, or give each endpoint groups of its own",
    sources=(
        "Kubernetes: the GPUs of a pod are on one node",
        "SageMaker developer guide, DPD page: GPUs of a role",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("R30",),
    tags=(
        "placement",
        "capacity",
    ),
    example=Example(
        of="environment",
        before="""
endpoints:
  second:
    model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/second}}}
    prefill: {instance_group: prefill}
    decode: {instance_group: decode}
""",
        after="""
cluster: {instance_groups: {prefill: {count: 2}, decode: {count: 2}}}
endpoints:
  second:
    model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/second}}}
    prefill: {instance_group: prefill}
    decode: {instance_group: decode}
""",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    for group in environment.blueprint.cluster.groups:
        known = instance_types.get(group.instance_type)
        if known is None or not known.gpus:
            continue
        pods = {e.name: _gpus(e, group.name) for e in environment.blueprint.endpoints}
        users = {name: gpus for name, gpus in pods.items() if gpus}
        together = sum(users.values(), Counter[int]())
        needed = nodes_needed(together, node_gpus=known.gpus)
        if needed is None or needed <= group.count or _one_alone(environment, users, group, known.gpus):
            continue
        yield Hit(
            ("cluster", "instance_groups", group.name, "count"),
            f"{', '.join(sorted(users))} put {together.total()} pods with {total_gpus(together)} GPUs on group "
            f"'{group.name}'; they need {needed} nodes, it has {group.count}",
            fix=f"set count to {needed}, or give an endpoint groups of its own",
        )


def _gpus(endpoint: EndpointPlan, group: str) -> Counter[int]:
    """Number of the endpoint's pods on the group by the GPUs of one pod."""
    pods: Counter[int] = Counter()
    for role in endpoint.roles:
        if role.group == group and role.gpus and role.replicas > 0:
            pods[role.gpus] += role.replicas
    return pods


def _one_alone(
    environment: EnvironmentView, users: dict[str, Counter[int]], group: InstanceGroupPlan, node_gpus: int
) -> bool:
    """Whether one disaggregated endpoint by itself is too large: another rule says so."""
    disaggregated = {e.name for e in environment.blueprint.endpoints if e.topology == "disaggregated"}
    alone = (nodes_needed(gpus, node_gpus=node_gpus) for name, gpus in users.items() if name in disaggregated)
    return any(needed is None or needed > group.count for needed in alone)
