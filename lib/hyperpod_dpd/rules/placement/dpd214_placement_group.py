"""
What it checks
--------------
That topologySpec names no placement group. HyperPod's instance groups offer no property to put nodes into one.

Why it matters
--------------
If the operator turns the name into a selector, no node matches it and the pods stay Pending. What it does with
the name is not confirmed.

When this is fine
-----------------
Where nodes were seen to carry the label of that placement group.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD214",
    name="placement-group",
    severity=Severity.WARNING,
    title="A placement group is named that HyperPod nodes may not have",
    fix="remove placementGroup; one subnet for both roles keeps them close",
    sources=(
        "CloudFormation schema of AWS::SageMaker::Cluster: instance groups have no placement group",
        "InferenceEndpointConfig CRD, operator 3.2, pdSpec.topologySpec",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R29",),
    tags=("placement",),
    example=Example(
        before="spec: {pdSpec: {topologySpec: {placementGroup: dpd-cluster}}}",
        after="spec: {pdSpec: {topologySpec: {sameAZ: true}}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    group = endpoint.get("pdSpec", "topologySpec", "placementGroup")
    if group:
        yield Hit(
            ("spec", "pdSpec", "topologySpec", "placementGroup"),
            f"placement group '{group}' is named, and no instance group can be put into one; that any node "
            "carries it is not confirmed",
        )
