"""
What it checks
--------------
That each acknowledged id is in the catalogue.

Why it matters
--------------
A misspelled id accepts nothing while the reader believes the risk was considered.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo, Rule, Severity

RULE = Rule(
    id="DPD004",
    name="unknown-acknowledgement",
    severity=Severity.ERROR,
    title="An acknowledgement names a rule that does not exist",
    fix="correct the id; `dpd rules` lists them",
    sources=("hyperpod-dpd, rules of the house",),
    applies_to=AppliesTo.ENGINE,
    tags=("engine",),
)
