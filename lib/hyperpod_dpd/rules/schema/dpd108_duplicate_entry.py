"""
What it checks
--------------
Lists that are keyed by name, above all environment variables.

Why it matters
--------------
Server-side apply refuses the object; a client-side apply keeps one of the two values, not necessarily the one that
is read last.

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
    id="DPD108",
    name="duplicate-entry",
    severity=Severity.ERROR,
    title="A list has two entries of the same name",
    fix="keep one of the entries",
    sources=("InferenceEndpointConfig CRD, operator 3.2",),
    applies_to=AppliesTo.MANIFEST,
    tags=("schema",),
    example=Example(
        before="""
spec:
  worker:
    environmentVariables:
      - {name: PYTHONHASHSEED, value: "0"}
      - {name: PYTHONHASHSEED, value: "0"}
""",
        after="""
spec:
  worker:
    environmentVariables:
      - {name: PYTHONHASHSEED, value: "0"}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    yield from hits(endpoint, "duplicate-key-entry")
