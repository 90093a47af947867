"""
What it checks
--------------
That a disaggregated endpoint scales by role (pdSpec.autoScalingSpec) and not by the endpoint's own
autoScalingSpec.

Why it matters
--------------
The field above scales the one Deployment of a colocated endpoint. Which of the two it means here is not
published: it may scale the decoder, or nothing.

When this is fine
-----------------
Never: both roles have a field of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD716",
    name="scaling-of-the-whole",
    severity=Severity.ERROR,
    title="autoScalingSpec stands beside pdSpec",
    fix="move the block to pdSpec.autoScalingSpec.prefillAutoScaling",
    sources=("InferenceEndpointConfig CRD, operator 3.2, both autoscaling fields",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R154",),
    tags=("scaling",),
    example=Example(
        before="spec: {autoScalingSpec: {maxReplicaCount: 2, prometheusTrigger: {query: up}}}",
        after="""
spec:
  pdSpec:
    autoScalingSpec:
      prefillAutoScaling: {maxReplicaCount: 2, prometheusTrigger: {query: up}}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.has("autoScalingSpec"):
        yield Hit(
            ("spec", "autoScalingSpec"),
            "spec.autoScalingSpec does not say which role it scales; what the operator does is not confirmed",
        )
