"""
What it checks
--------------
Whether every rule could run to its end on this input.

Why it matters
--------------
A rule that stops half way says nothing of what it did not see; a green result would be a guess.

When this is fine
-----------------
Never; it is a bug of ours.
"""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo, Rule, Severity

RULE = Rule(
    id="DPD001",
    name="rule-crashed",
    severity=Severity.ERROR,
    title="A rule failed on this input",
    fix="report it with the input; the other rules ran",
    sources=("hyperpod-dpd, rules of the house",),
    applies_to=AppliesTo.ENGINE,
    tags=("engine",),
)
