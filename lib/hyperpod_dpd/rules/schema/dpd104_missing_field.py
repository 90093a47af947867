"""
What it checks
--------------
That every field the resource requires is there, among them both roles of pdSpec.

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
    id="DPD104",
    name="missing-field",
    severity=Severity.ERROR,
    title="A required field is missing",
    fix="add the field",
    sources=("InferenceEndpointConfig CRD, operator 3.2",),
    applies_to=AppliesTo.MANIFEST,
    covers=("R03", "E-86", "E-89"),
    tags=("schema",),
    example=Example(
        before="""
spec:
  modelSourceConfig: {modelSourceType: null}
""",
        after="""
spec:
  modelSourceConfig: {modelSourceType: s3}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    yield from hits(endpoint, "missing")
