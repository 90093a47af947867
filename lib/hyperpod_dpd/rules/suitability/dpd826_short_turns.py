"""
What it checks
--------------
Whether the declared traffic is a conversation of mostly short turns.

Why it matters
--------------
Requests below the threshold bypass the prefillers, which alone hold the prefix cache, and the decoder saves
nothing: the first turn above the threshold computes the whole history. This is inferred, not documented by
AWS.

When this is fine
-----------------
Where each turn carries its whole context, which multi-full-context declares.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD826",
    name="short-turns",
    severity=Severity.INFO,
    title="Short turns never warm the prefillers' cache",
    fix="watch the share of disaggregated requests, and send whole contexts if turns should profit from the cache",
    sources=(
        "inferred from LMCache's restrictions while PD is enabled and from the router's bypass of short requests",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R179",
        "S12.6",
    ),
    tags=(
        "suitability",
        "traffic",
    ),
    example=Example(
        before="endpoints: {llama-70b: {traffic: {turns: multi-short}}}",
        after="endpoints: {llama-70b: {traffic: {turns: multi-full-context}}}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.traffic.turns == "multi-short":
        yield Hit(
            ("traffic", "turns"),
            "turns are mostly short: those below the threshold never reach the prefillers, so no history is cached "
            "(inferred, not confirmed)",
        )
