"""
What it checks
--------------
That the placement does not allow the two roles to stand in different zones: sameAZ is not switched off.

Why it matters
--------------
EFA RDMA works within one availability zone only. Across zones the transfer falls back to TCP, every request
still succeeds, and each long prompt waits for its KV pages.

When this is fine
-----------------
Never; for redundancy over zones, run a second endpoint in the other zone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD202",
    name="same-zone",
    severity=Severity.ERROR,
    title="The roles are allowed to stand in different zones",
    fix="set sameAZ to true, or leave it out: true is the default",
    sources=(
        "SageMaker developer guide, DPD page, placement",
        "InferenceEndpointConfig CRD, operator 3.2, pdSpec.topologySpec",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R26",),
    tags=("placement", "efa"),
    example=Example(
        before="spec: {pdSpec: {topologySpec: {sameAZ: false}}}",
        after="spec: {pdSpec: {topologySpec: {sameAZ: true}}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.get("pdSpec", "topologySpec", "sameAZ") is False:
        path = ("spec", "pdSpec", "topologySpec", "sameAZ")
        yield Hit(path, "sameAZ is false, so prefill and decode may land in different zones")
