"""
What it checks
--------------
The share of prompts whose estimate reaches the threshold, from the declared percentiles and the language's characters
per token. Below a tenth it is a warning, below a fifth a note.

Why it matters
--------------
The rest goes to the decoder as if there were no prefiller, while a node of eight GPUs waits for the few. The router
estimates characters divided by four, which the share accounts for.

When this is fine
-----------------
Where the few long prompts are what disturbs the others' tokens, and that is worth a node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults, languages
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.context import MissingFact
from hyperpod_dpd.view.traffic import effective_threshold_tokens, routing_threshold, share_from

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD615",
    name="few-long-prompts",
    severity=Severity.WARNING,
    title="Few prompts reach the routing threshold",
    fix="serve the model colocated, or lower routingThreshold to where a useful share disaggregates",
    sources=(
        "hyperpod-dpd, guidance from the article on DPD, chapter on workloads",
        "SageMaker developer guide, DPD page, tuning table",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R103",),
    tags=("routing", "suitability"),
    example=Example(
        before="endpoints: {llama-70b: {traffic: {input_tokens: {p50: 800, p95: 2400}, language: en}}}",
        after="endpoints: {llama-70b: {traffic: {input_tokens: {p50: 6000, p95: 12000}, language: en}}}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    traffic = endpoint.traffic
    if traffic.input_tokens is None:
        raise MissingFact("distribution of prompt lengths")
    threshold = routing_threshold(endpoint)
    language = languages.find(traffic.language) if traffic.language else None
    tokens = effective_threshold_tokens(threshold, language) if language else threshold
    share, at_most = share_from(traffic.input_tokens, tokens)
    limits = engine_defaults.suitability()
    low = share < limits.low_disaggregated_share or (at_most and share <= limits.low_disaggregated_share)
    if not low and share >= limits.useful_disaggregated_share:
        return
    yield Hit(
        ("spec", "pdSpec", "routingThreshold"),
        f"{'less than' if at_most else 'about'} {share:.0%} of the prompts reach the threshold of {threshold:,}"
        + (f", which is about {tokens:,} tokens of {language.names[0].capitalize()}" if language else ""),
        None if low else Severity.INFO,
    )
