"""
What it checks
--------------
Values such as <YOUR_BUCKET>, $NAME and ${NAME} that a template tool should have replaced.

Why it matters
--------------
A field that takes any text accepts the placeholder, and the endpoint looks for a bucket of that name.

When this is fine
-----------------
Never in what is applied; render the template first and check its output.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.schema.problems import hits

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD106",
    name="placeholder",
    severity=Severity.ERROR,
    title="A placeholder or shell variable was left unexpanded",
    fix="replace the placeholder by its value before applying",
    sources=("hyperpod-dpd, observed in public manifests",),
    applies_to=AppliesTo.MANIFEST,
    covers=("E-77", "E-80", "E-82", "E-90"),
    tags=("schema",),
    example=Example(
        before="""
spec:
  modelSourceConfig: {s3Storage: {bucketName: <YOUR_BUCKET>}}
""",
        after="""
spec:
  modelSourceConfig: {s3Storage: {bucketName: models}}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    yield from hits(endpoint, "placeholder", "unexpanded-variable")
