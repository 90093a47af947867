"""
What it checks
--------------
The instance type of the manifest against that of the group which each role selects.

Why it matters
--------------
The operator schedules by the type, the selector by the group: no node satisfies both, and the pods stay pending.

When this is fine
-----------------
Never for one environment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.agreement.disagreements import hits
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView

RULE = Rule(
    id="DPD1002",
    name="instance-type-agrees",
    severity=Severity.ERROR,
    title="Manifest and template name different instance types",
    fix="write the group's own instance type in spec.instanceType",
    sources=("hyperpod-dpd, re-derived from templates and manifests",),
    applies_to=AppliesTo.PAIR,
    tags=("agreement",),
    example=Example(
        before="spec.instanceType ml.p5en.48xlarge, group of ml.p5.48xlarge",
        after="spec.instanceType ml.p5.48xlarge, group of ml.p5.48xlarge",
        of="pair",
    ),
)


def check(pair: PairView) -> Iterator[Hit]:
    yield from hits(pair, "instance-type")
