"""
What it checks
--------------
That nothing is acknowledged that cannot be: an error of a rule that knows no case in which it is fine, and findings
about what carries no acknowledgement (templates, other objects, the check itself). Warnings and notes may always be
acknowledged.

Why it matters
--------------
Such an error states that the deployment cannot work; accepting it would not make it work.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo, Rule, Severity

RULE = Rule(
    id="DPD006",
    name="not-waivable",
    severity=Severity.ERROR,
    title="An acknowledgement names a rule that cannot be waived",
    fix="remove the entry and put the cause right",
    sources=("hyperpod-dpd, rules of the house",),
    applies_to=AppliesTo.ENGINE,
    tags=("engine",),
)
