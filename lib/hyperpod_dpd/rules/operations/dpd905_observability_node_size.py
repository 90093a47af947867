"""
What it checks
--------------
That no instance group has nodes with fewer vCPUs than the add-on's smallest node.

Why it matters
--------------
The add-on runs collectors on every node; on smaller nodes they stay Pending, and the nodes' metrics are
missing.

When this is fine
-----------------
Where the collectors are known to fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import instance_types, requirements
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD905",
    name="observability-node-size",
    severity=Severity.WARNING,
    title="A node is smaller than the observability add-on asks for",
    fix="use a 4xlarge or larger type for every instance group",
    sources=("SageMaker developer guide, HyperPod observability add-on, prerequisites",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("O-node-size",),
    tags=("observability",),
    example=Example(
        before="cluster: {instance_groups: {system: {instance_type: ml.m5.2xlarge}}}",
        after="cluster: {instance_groups: {system: {instance_type: ml.m5.4xlarge}}}",
        of="environment",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    if not environment.document.observability.enabled:
        return
    least = requirements.requirement("observability_node_vcpus").value
    for name, group in environment.document.cluster.instance_groups.items():
        known = instance_types.get(group.instance_type)
        if known is not None and known.vcpus < least:
            yield Hit(
                ("cluster", "instance_groups", name, "instance_type"),
                f"{group.instance_type} of group '{name}' has {known.vcpus} vCPUs, the observability add-on asks for "
                f"{least} (a 4xlarge)",
            )
