"""
What it checks
--------------
Which rules had nothing to judge by, once for each missing fact.

Why it matters
--------------
A rule that passes silently because it knows nothing is read as a promise.

When this is fine
-----------------
On a lone manifest, which says nothing of its cluster or its traffic.
"""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo, Rule, Severity

RULE = Rule(
    id="DPD003",
    name="not-checked",
    severity=Severity.INFO,
    title="Rules that could not be judged for want of a fact",
    fix="declare the fact",
    sources=("hyperpod-dpd, rules of the house",),
    applies_to=AppliesTo.ENGINE,
    tags=("engine",),
)
