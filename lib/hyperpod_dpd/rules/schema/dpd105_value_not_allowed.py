"""
What it checks
--------------
Patterns, lists of allowed values, bounds and lengths of every field.

Why it matters
--------------
The API server refuses the object.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.schema.problems import hits

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD105",
    name="value-not-allowed",
    severity=Severity.ERROR,
    title="A value outside what the field allows",
    fix="use one of the allowed values",
    sources=("InferenceEndpointConfig CRD, operator 3.2",),
    applies_to=AppliesTo.MANIFEST,
    covers=("R09", "E-89"),
    tags=("schema",),
    example=Example(
        before="""
spec:
  intelligentRoutingSpec: {routingStrategy: prefix-aware}
""",
        after="""
spec:
  intelligentRoutingSpec: {routingStrategy: prefixaware}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    yield from hits(endpoint, "pattern", "enum", "minimum", "maximum", "length", "item-count")
