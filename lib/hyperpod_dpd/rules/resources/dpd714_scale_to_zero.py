"""
What it checks
--------------
That no role may be scaled to zero.

Why it matters
--------------
A role has at least one replica by its own field; the scaler accepts zero all the same. All traffic passes the
decoder, and a long prompt needs a prefiller: a role at zero means minutes of failures until a model is loaded
again.

When this is fine
-----------------
Never for a disaggregated endpoint; run a colocated one where traffic stops for hours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.scaling import BLOCKS, scaling_of

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD714",
    name="scale-to-zero",
    severity=Severity.ERROR,
    title="A role may be scaled to zero",
    fix="set minReplicaCount to 1 or more",
    sources=("InferenceEndpointConfig CRD, operator 3.2, minimum of replicas",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R152",),
    tags=("scaling",),
    example=Example(
        before="""
spec:
  pdSpec:
    autoScalingSpec:
      prefillAutoScaling: {minReplicaCount: 0, maxReplicaCount: 2, prometheusTrigger: {query: up}}
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
    for role in BLOCKS:
        scaling = scaling_of(endpoint, role)
        if scaling is not None and scaling.min_replicas < 1:
            yield Hit(
                scaling.path, f"minReplicaCount of {role} is {scaling.min_replicas}; at least 1 must stay"
            )
