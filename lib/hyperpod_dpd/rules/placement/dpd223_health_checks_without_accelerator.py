"""
What it checks
--------------
That deep health checks are asked only of groups whose nodes have GPUs or Trainium.

Why it matters
--------------
The checks stress accelerators and EFA. On plain nodes they test nothing, and the entry suggests that somebody
looks after those nodes.

When this is fine
-----------------
Never; remove the entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD223",
    name="health-checks-without-accelerator",
    severity=Severity.WARNING,
    title="Deep health checks on nodes without accelerators",
    fix="remove deep_health_checks from the group",
    sources=("SageMaker developer guide, HyperPod deep health checks: GPU and Trainium instances",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.9b",),
    tags=("placement",),
    example=Example(
        of="environment",
        before="cluster: {instance_groups: {system: {deep_health_checks: [InstanceStress]}}}",
        after="cluster: {instance_groups: {decode: {deep_health_checks: [InstanceStress]}}}",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    for group in environment.blueprint.cluster.groups:
        known = instance_types.get(group.instance_type)
        if group.deep_health_checks and known is not None and not known.gpus and known.accelerator is None:
            yield Hit(
                ("cluster", "instance_groups", group.name, "deep_health_checks"),
                f"{group.instance_type} has no accelerator, and the checks run on accelerators only",
            )
