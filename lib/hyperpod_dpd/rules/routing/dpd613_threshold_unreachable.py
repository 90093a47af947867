"""
What it checks
--------------
routingThreshold, 4096 where absent, against --max-model-len, or the model's own limit.

Why it matters
--------------
A prompt of as many tokens as the engine accepts is refused or goes to the decoder: the prefillers never get a
request. Only text with more than four characters to a token may pass, by the error of the estimate.

When this is fine
-----------------
Never; to switch disaggregation off, remove pdSpec.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.engine import shortest_limit_tokens
from hyperpod_dpd.view.traffic import routing_threshold

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD613",
    name="threshold-unreachable",
    severity=Severity.ERROR,
    title="No request can reach the routing threshold",
    fix="lower routingThreshold below --max-model-len",
    sources=("derived from the router's comparison and the engine's limit",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R100",),
    tags=("routing", "silent"),
    example=Example(
        before="spec: {pdSpec: {routingThreshold: 16384}}", after="spec: {pdSpec: {routingThreshold: 4096}}"
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    threshold, limit = routing_threshold(endpoint), shortest_limit_tokens(endpoint)
    if limit is not None and threshold >= limit:
        yield Hit(
            ("spec", "pdSpec", "routingThreshold"),
            f"requests disaggregate from an estimate of {threshold:,} tokens, and the engine accepts {limit:,}",
        )
