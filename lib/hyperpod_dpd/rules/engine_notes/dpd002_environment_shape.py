"""
What it checks
--------------
Types, unknown keys, missing keys and names that point nowhere in an environment document.

Why it matters
--------------
A key that nobody reads looks like a setting and is none; the typed document is what both programs agree on.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo, Rule, Severity

RULE = Rule(
    id="DPD002",
    name="environment-shape",
    severity=Severity.ERROR,
    title="The environment document does not have its declared shape",
    fix="correct the key named; `dpd schema` prints what is allowed",
    sources=("hyperpod-dpd, rules of the house",),
    applies_to=AppliesTo.ENGINE,
    tags=("engine",),
)
