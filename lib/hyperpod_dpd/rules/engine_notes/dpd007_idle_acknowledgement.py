"""
What it checks
--------------
That each acknowledgement accepts something that is found.

Why it matters
--------------
An old entry silently accepts the fault when it comes back.

When this is fine
-----------------
Never for long.
"""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo, Rule, Severity

RULE = Rule(
    id="DPD007",
    name="idle-acknowledgement",
    severity=Severity.WARNING,
    title="An acknowledgement matches no finding",
    fix="remove the entry",
    sources=("hyperpod-dpd, rules of the house",),
    applies_to=AppliesTo.ENGINE,
    tags=("engine",),
)
