"""
What it checks
--------------
Fields that came with a later operator release than the one that is declared.

Why it matters
--------------
The older resource definition prunes the field: the idle timeout stays at 60 s, the cache stays off, and nothing
says so.

When this is fine
-----------------
Never for the release that runs; without a declared release this stays silent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.schema.problems import hits

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD107",
    name="field-newer-than-operator",
    severity=Severity.ERROR,
    title="A field that this operator release drops",
    fix="upgrade the operator (CRD first) or remove the field",
    sources=("HyperPod inference release notes, operator 3.3 to 3.7",),
    applies_to=AppliesTo.MANIFEST,
    covers=("R14",),
    tags=("schema", "operator"),
    example=Example(
        before="""
spec:
  lmcache: {mode: MultiProcess}
""",
        after="""
spec: {}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    yield from hits(endpoint, "newer-release")
