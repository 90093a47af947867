"""
What it checks
--------------
The type of every value: text where text is needed, whole numbers, mappings, lists.

Why it matters
--------------
The API server refuses the object; in YAML the cause is often a missing quote or a missing space after a colon.

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
    id="DPD103",
    name="wrong-type",
    severity=Severity.ERROR,
    title="A value of the wrong type",
    fix="write a value of the type that is needed",
    sources=(
        "InferenceEndpointConfig CRD, operator 3.2",
        "Kubernetes API conventions, quantities",
    ),
    applies_to=AppliesTo.MANIFEST,
    covers=("R04", "C-07", "D-10", "E-96"),
    tags=("schema",),
    example=Example(
        before="""
spec:
  maxDeployTimeInSeconds: one hour
""",
        after="""
spec:
  maxDeployTimeInSeconds: 3600
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    yield from hits(endpoint, "wrong-type")
