"""
What it checks
--------------
Every key of the manifest against the fields of the resource, with the right name or place where it can be told.

Why it matters
--------------
An API server prunes unknown fields without a word unless it validates strictly: the setting is simply not there.

When this is fine
-----------------
Never; a field of a later operator release is known as such and judged apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.schema.problems import hits

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD102",
    name="unknown-field",
    severity=Severity.ERROR,
    title="A field that the operator does not know",
    fix="remove the field or correct its name",
    sources=("InferenceEndpointConfig CRD, operator 3.2",),
    applies_to=AppliesTo.MANIFEST,
    covers=("R02", "R16", "E-88", "E-93"),
    tags=("schema",),
    example=Example(
        before="""
spec:
  metrics:
    modelMetricsConfig: {port: 8000}
""",
        after="""
spec:
  metrics:
    modelMetrics: {port: 8000}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    yield from hits(endpoint, "unknown-field")
