"""
What it checks
--------------
That no instance group has both custom taints and deep health checks at start.

Why it matters
--------------
HyperPod refuses the combination: the checks run as pods that tolerate only HyperPod's own taint. The cluster is
not created.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD222",
    name="taints-and-health-checks",
    severity=Severity.ERROR,
    title="An instance group has taints and deep health checks together",
    fix="remove the taints (separate the groups by label) or the deep health checks",
    sources=("SageMaker developer guide, HyperPod on EKS, taints and deep health checks of instance groups",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-0.6",),
    tags=("placement",),
    example=Example(
        of="environment",
        before="""
cluster:
  instance_groups:
    system:
      taints: [{key: team, value: a, effect: NoSchedule}]
      deep_health_checks: [InstanceStress]
""",
        after="""
cluster:
  instance_groups:
    system:
      taints: [{key: team, value: a, effect: NoSchedule}]
""",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    for group in environment.blueprint.cluster.groups:
        if group.taints and group.deep_health_checks:
            taints = ", ".join(map(str, group.taints))
            yield Hit(
                ("cluster", "instance_groups", group.name, "deep_health_checks"),
                f"group '{group.name}' has {', '.join(group.deep_health_checks)} and the taint {taints}",
            )
