"""
What it checks
--------------
Keys written twice in one mapping, and tags that nobody understands.

Why it matters
--------------
One reader takes the first value, another the last, a third refuses the file: what is deployed depends on the tool.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from hyperpod_dpd.rules.rule import AppliesTo, Rule, Severity

RULE = Rule(
    id="DPD008",
    name="repeated-key",
    severity=Severity.ERROR,
    title="The text of the file has a fault that readers resolve differently",
    fix="remove one of the two",
    sources=("YAML 1.2 specification, uniqueness of mapping keys",),
    applies_to=AppliesTo.ENGINE,
    tags=("engine",),
)
