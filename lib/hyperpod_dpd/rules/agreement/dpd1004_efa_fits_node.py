"""
What it checks
--------------
The EFA interfaces that the pods of one node ask for together against what the instance type in the template has.

Why it matters
--------------
The second pod stays pending although its GPUs are free.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.agreement.disagreements import hits
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView

RULE = Rule(
    id="DPD1004",
    name="efa-fits-node",
    severity=Severity.ERROR,
    title="Pods of one node ask for more EFA interfaces than it has",
    fix="ask for the node's EFA interfaces divided by the pods that share it",
    sources=("hyperpod-dpd, re-derived from templates and manifests",),
    applies_to=AppliesTo.PAIR,
    tags=("agreement",),
    example=Example(
        before="32 interfaces for each of two pods of one node",
        after="16 interfaces for each of two pods of one node",
        of="pair",
    ),
)


def check(pair: PairView) -> Iterator[Hit]:
    yield from hits(pair, "efa")
