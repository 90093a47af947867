"""
What it checks
--------------
That intelligentRoutingSpec.enabled is true; it is false by default.

Why it matters
--------------
pdSpec makes a router in any case, but the router and KV cache dashboards need the switch, and the field cannot be
added to an existing endpoint: it takes a new one.

When this is fine
-----------------
Where nobody looks at those dashboards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD609",
    name="routing-disabled",
    severity=Severity.WARNING,
    title="Intelligent routing is off on a disaggregated endpoint",
    fix="set intelligentRoutingSpec.enabled: true before the endpoint is created",
    sources=(
        "SageMaker developer guide, DPD page, example",
        "SageMaker developer guide, inference observability, troubleshooting",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R128",),
    tags=("routing", "observability"),
    example=Example(
        before="spec: {intelligentRoutingSpec: {enabled: false}}",
        after="spec: {intelligentRoutingSpec: {enabled: true}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    enabled = endpoint.get("intelligentRoutingSpec", "enabled")
    if enabled is not True:
        state = "false" if enabled is False else "absent, which means false"
        yield Hit(("spec", "intelligentRoutingSpec", "enabled"), f"intelligentRoutingSpec.enabled is {state}")
