"""
What it checks
--------------
That the declared median output length reaches what AWS names as a condition for a gain.

Why it matters
--------------
What disaggregation steadies is the flow of output tokens. Where a request is nearly all prefill, it pays the
transfer for a flow that ends at once.

When this is fine
-----------------
Where even a few tokens must come at a steady pace.
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
    id="DPD805",
    name="short-outputs",
    severity=Severity.WARNING,
    title="The median answer is shorter than those that gain from disaggregation",
    fix="serve this traffic colocated, or declare the real output lengths",
    sources=("SageMaker developer guide, DPD page, when it pays and known limits",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R172",),
    tags=(
        "suitability",
        "traffic",
    ),
    example=Example(
        before="""
endpoints:
  llama-70b:
    traffic: {input_tokens: {p50: 6000}, output_tokens: {p50: 40}, requests_per_second: 4}
""",
        after="""
endpoints:
  llama-70b:
    traffic: {input_tokens: {p50: 6000}, output_tokens: {p50: 400}, requests_per_second: 4}
""",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    lengths = endpoint.traffic.output_tokens
    if lengths is None:
        raise MissingFact("output lengths")
    wanted = engine_defaults.suitability().output_tokens
    if lengths.p50 < wanted:
        yield Hit(
            ("traffic", "output_tokens", "p50"),
            f"half of the answers have {lengths.p50:,} tokens or fewer; AWS expects a gain from {wanted:,} tokens on",
        )
