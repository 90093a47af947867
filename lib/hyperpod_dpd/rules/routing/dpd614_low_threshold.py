"""
What it checks
--------------
routingThreshold below what AWS's tuning table warns of, and zero.

Why it matters
--------------
Below some thousand tokens the transfer costs more than the prefill it saves, so the first token comes later. With
zero every request disaggregates, and the prefillers become part of the critical path: without one, nothing is
answered.

When this is fine
-----------------
Zero, to test the disaggregated path alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.traffic import routing_threshold

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD614",
    name="low-threshold",
    severity=Severity.WARNING,
    title="The routing threshold is very low",
    fix="raise routingThreshold; 4096 is the documented start",
    sources=(
        "SageMaker developer guide, DPD page, tuning table",
        "InferenceEndpointConfig CRD, operator 3.2, routingThreshold",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R101", "R102"),
    tags=("routing", "performance"),
    example=Example(
        before="spec: {pdSpec: {routingThreshold: 512}}", after="spec: {pdSpec: {routingThreshold: 4096}}"
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    threshold = routing_threshold(endpoint)
    low = engine_defaults.suitability().low_routing_threshold_tokens
    path = ("spec", "pdSpec", "routingThreshold")
    if threshold == 0:
        yield Hit(
            path,
            "the threshold is 0: every request disaggregates, so nothing is answered without a prefiller",
        )
    elif threshold < low:
        yield Hit(path, f"the threshold is {threshold}; below {low} the transfer delays the first token")
