"""
What it checks
--------------
Whether the declared concurrency is within the range that AWS validated.

Why it matters
--------------
Beyond it nothing is published; the single decoder is the first to saturate, which shows as rising time per
token while prefill idles.

When this is fine
-----------------
After a benchmark at that concurrency. Capacity beyond it is better had from a second endpoint.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.context import MissingFact

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD720",
    name="validated-concurrency",
    severity=Severity.INFO,
    title="More concurrent requests than AWS validated",
    fix="measure at that concurrency, or spread it over a second endpoint",
    sources=("SageMaker developer guide, DPD page, validated range",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R159",),
    tags=("suitability",),
    example=Example(
        before="endpoints: {llama-70b: {traffic: {concurrency: 96}}}",
        after="endpoints: {llama-70b: {traffic: {concurrency: 64}}}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    concurrency = endpoint.traffic.concurrency
    if concurrency is None:
        raise MissingFact("traffic")
    most = engine_defaults.validated().concurrent_requests
    if concurrency > most:
        yield Hit(("spec", "pdSpec"), f"{concurrency} concurrent requests are declared; AWS validated {most}")
