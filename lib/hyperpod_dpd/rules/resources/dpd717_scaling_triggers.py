"""
What it checks
--------------
That each scaling block has a trigger, and not both the single form and the list of the same kind.

Why it matters
--------------
A scaler without a trigger never scales; with both forms it is not published which one counts.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.scaling import BLOCKS, scaling_of

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD717",
    name="scaling-triggers",
    severity=Severity.WARNING,
    title="A scaling block has no trigger, or two forms of one",
    fix="give prometheusTrigger, or the list of triggers, and not both",
    sources=("InferenceEndpointConfig CRD, operator 3.2, triggers",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R155",),
    tags=("scaling",),
    example=Example(
        before="spec: {pdSpec: {autoScalingSpec: {prefillAutoScaling: {maxReplicaCount: 2}}}}",
        after="""
spec:
  pdSpec:
    autoScalingSpec:
      prefillAutoScaling: {maxReplicaCount: 2, prometheusTrigger: {query: up}}
""",
    ),
)

_KINDS = ("prometheusTrigger", "cloudWatchTrigger")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for role in BLOCKS:
        scaling = scaling_of(endpoint, role)
        if scaling is None or scaling.block is None:
            continue
        block = scaling.block
        if not any(block.get(kind) or block.get(f"{kind}List") for kind in _KINDS):
            yield Hit(scaling.path, f"{scaling.block_name} has no trigger, so it never scales")
        for kind in _KINDS:
            if block.get(kind) and block.get(f"{kind}List"):
                yield Hit(
                    (*scaling.path, kind),
                    f"{scaling.block_name} has {kind} and {kind}List; which one counts is not confirmed",
                    fix=f"move {kind} into {kind}List, or remove one of them",
                )
