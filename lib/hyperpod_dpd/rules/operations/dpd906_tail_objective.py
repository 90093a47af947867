"""
What it checks
--------------
That declared objectives, and any production endpoint, name a limit for latency: the tail of the inter-token
latency, or at least the time to first token.

Why it matters
--------------
Availability and error rate stay perfect while transfers fail, because the decoder computes the prompt again.
Only the distribution of latency shows it, and the tail is what disaggregation is bought for.

When this is fine
-----------------
Where latency objectives are kept and watched elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD906",
    name="tail-objective",
    severity=Severity.WARNING,
    title="No objective for the tail of latency",
    fix="declare objectives.inter_token_latency_p99_ms: what your readers accept between two tokens",
    sources=("vLLM documentation, disaggregated prefilling, tail of inter-token latency",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R184",
        "S10.2-8",
    ),
    tags=(
        "observability",
        "objectives",
    ),
    example=Example(
        before="endpoints: {llama-70b: {objectives: {throughput_per_gpu: false}}}",
        after="endpoints: {llama-70b: {objectives: {inter_token_latency_p99_ms: 50}}}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.context.objectives is None and endpoint.context.production:
        yield Hit(
            ("objectives",), "production without any latency objective: a silent fallback would alert nobody"
        )
        return
    objectives = endpoint.objectives
    if objectives.inter_token_latency_p99_ms is None and objectives.time_to_first_token_p95_ms is None:
        yield Hit(
            ("objectives",), "the objectives name no latency, which is all that shows a silent fallback"
        )
