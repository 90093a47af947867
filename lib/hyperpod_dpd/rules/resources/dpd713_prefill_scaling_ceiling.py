"""
What it checks
--------------
That the prefiller's autoscaling names its maximum.

Why it matters
--------------
Left out, the field's default counts, and a burst may take that many nodes of eight GPUs each.

When this is fine
-----------------
Where that many nodes are there and meant to be used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.scaling import scaling_of

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD713",
    name="prefill-scaling-ceiling",
    severity=Severity.WARNING,
    title="The prefiller's autoscaling names no maximum",
    fix="set maxReplicaCount of prefillAutoScaling to the nodes you have for it",
    sources=("InferenceEndpointConfig CRD, operator 3.2, default of maxReplicaCount",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R151",),
    tags=("scaling", "cost"),
    example=Example(
        before="""
spec:
  pdSpec:
    autoScalingSpec:
      prefillAutoScaling: {minReplicaCount: 1, prometheusTrigger: {query: up}}
""",
        after="""
spec:
  pdSpec:
    autoScalingSpec:
      prefillAutoScaling: {minReplicaCount: 1, maxReplicaCount: 2, prometheusTrigger: {query: up}}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    scaling = scaling_of(endpoint, "prefill")
    if scaling is not None and not scaling.max_given:
        yield Hit(
            scaling.path,
            f"maxReplicaCount is not set, so prefill may grow to {scaling.max_replicas} nodes",
        )
