"""
What it checks
--------------
The subnets of the groups that prefill and decode select, followed across stacks.

Why it matters
--------------
EFA does not reach from one zone into another: the KV cache goes nowhere, and each request is computed twice.

When this is fine
-----------------
When both subnets are known to lie in one zone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.agreement.disagreements import hits
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView

RULE = Rule(
    id="DPD1005",
    name="roles-in-one-subnet",
    severity=Severity.ERROR,
    title="The groups of both roles do not share one subnet in the templates",
    fix="give both groups an OverrideVpcConfig with the same single subnet",
    sources=("hyperpod-dpd, re-derived from templates and manifests",),
    applies_to=AppliesTo.PAIR,
    waivable=True,
    tags=("agreement",),
    example=Example(
        before="decode's group in another subnet",
        after="both groups in one subnet",
        of="pair",
    ),
)


def check(pair: PairView) -> Iterator[Hit]:
    yield from hits(pair, "subnet")
