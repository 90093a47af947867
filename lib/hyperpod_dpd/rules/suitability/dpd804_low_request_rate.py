"""
What it checks
--------------
That the declared sustained request rate reaches what AWS names as a condition for a gain.

Why it matters
--------------
Disaggregation removes the interference between one request's prefill and the others' decode. Requests that
come one after the other do not interfere.

When this is fine
-----------------
Where the rate is that of a test environment which stands for a busier one.
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
    id="DPD804",
    name="low-request-rate",
    severity=Severity.WARNING,
    title="The request rate is lower than where disaggregation pays",
    fix="serve this traffic colocated until the rate grows",
    sources=("SageMaker developer guide, DPD page, when it pays and known limits",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R172",
        "S7.8-3",
        "S10.2-1",
    ),
    tags=(
        "suitability",
        "traffic",
    ),
    example=Example(
        before="""
endpoints:
  llama-70b:
    traffic: {input_tokens: {p50: 6000}, output_tokens: {p50: 400}, requests_per_second: 0.5}
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
    rate = endpoint.traffic.requests_per_second
    if rate is None:
        raise MissingFact("request rate")
    wanted = engine_defaults.suitability().requests_per_second
    if rate < wanted:
        yield Hit(
            ("traffic", "requests_per_second"),
            f"{rate:g} requests per second are declared; below {wanted:g} there is little to disaggregate",
        )
