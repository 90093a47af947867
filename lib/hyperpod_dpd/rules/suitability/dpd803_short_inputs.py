"""
What it checks
--------------
That the declared median input length reaches what AWS names as a condition for a gain.

Why it matters
--------------
Requests below the routing threshold never see the prefiller: the decoder prefills them itself, as before,
while the second pool idles.

When this is fine
-----------------
Where a large minority of long prompts is what hurts, which the share above the threshold shows.
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
    id="DPD803",
    name="short-inputs",
    severity=Severity.WARNING,
    title="The median prompt is shorter than those that gain from disaggregation",
    fix="serve this traffic colocated, or split off the long prompts to an endpoint of their own",
    sources=("SageMaker developer guide, DPD page, when it pays and known limits",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R172",
        "S7.8-2",
    ),
    tags=(
        "suitability",
        "traffic",
    ),
    example=Example(
        before="""
endpoints:
  llama-70b:
    traffic: {input_tokens: {p50: 900}, output_tokens: {p50: 400}, requests_per_second: 4}
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
    lengths = endpoint.traffic.input_tokens
    if lengths is None:
        raise MissingFact("distribution of prompt lengths")
    wanted = engine_defaults.suitability().input_tokens
    if lengths.p50 < wanted:
        yield Hit(
            ("traffic", "input_tokens", "p50"),
            f"half of the prompts have {lengths.p50:,} tokens or fewer; AWS expects a gain from {wanted:,} tokens on",
        )
