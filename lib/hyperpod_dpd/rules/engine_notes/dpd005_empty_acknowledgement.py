"""
What it checks
--------------
That each acknowledgement carries a reason.

Why it matters
--------------
The reason is what the next engineer judges; without it an acknowledgement is a switch that turns a check off.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo, Rule, Severity

RULE = Rule(
    id="DPD005",
    name="empty-acknowledgement",
    severity=Severity.ERROR,
    title="An acknowledgement has no reason",
    fix="write why the finding is accepted here, or remove the entry",
    sources=("hyperpod-dpd, rules of the house",),
    applies_to=AppliesTo.ENGINE,
    tags=("engine",),
)
