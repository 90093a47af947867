"""
What it checks
--------------
Whether the time to first token is declared as an objective and the inter-token latency is not.

Why it matters
--------------
The KV cache has to travel before the first token comes: AWS itself says that the time to first token rises.
Disaggregation buys a steady flow after it.

When this is fine
-----------------
Where both are declared: then the first is a limit on the price, not the goal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD807",
    name="first-token-goal",
    severity=Severity.WARNING,
    title="Disaggregation raises the time to first token",
    fix="declare objectives.inter_token_latency_p99_ms if the flow of tokens matters more, else serve colocated",
    sources=("AWS machine-learning blog on DPD, time to first token",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R173",
        "S10.2-4",
        "S12.3",
    ),
    tags=(
        "suitability",
        "objectives",
    ),
    example=Example(
        before="endpoints: {llama-70b: {objectives: {time_to_first_token_p95_ms: 900}}}",
        after="endpoints: {llama-70b: {objectives: {time_to_first_token_p95_ms: 900, inter_token_latency_p99_ms: 50}}}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    objectives = endpoint.objectives
    if objectives.time_to_first_token_p95_ms is not None and objectives.inter_token_latency_p99_ms is None:
        yield Hit(
            ("objectives", "time_to_first_token_p95_ms"),
            "the time to first token is the only latency objective, and disaggregation makes it longer",
        )
