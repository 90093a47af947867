"""
What it checks
--------------
Whether the endpoint is declared for batch or offline work.

Why it matters
--------------
Nobody watches tokens arrive in a batch, so the steady flow that disaggregation buys has no reader, and its
later first token and second pool remain.

When this is fine
-----------------
Where interactive traffic shares the endpoint and is what it is bought for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD808",
    name="batch-goal",
    severity=Severity.WARNING,
    title="Batch work gains nothing from disaggregation",
    fix="serve batch work from a colocated endpoint",
    sources=(
        "SageMaker developer guide, DPD page, when it pays and known limits",
        "AWS machine-learning blog on DPD, where colocated serving is simpler",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R173",
        "S7.8-4",
    ),
    tags=(
        "suitability",
        "objectives",
    ),
    example=Example(
        before="endpoints: {llama-70b: {objectives: {batch: true, inter_token_latency_p99_ms: 50}}}",
        after="endpoints: {llama-70b: {objectives: {inter_token_latency_p99_ms: 50}}}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.objectives.batch:
        yield Hit(("objectives", "batch"), "the endpoint is declared for batch work on disaggregated pools")
