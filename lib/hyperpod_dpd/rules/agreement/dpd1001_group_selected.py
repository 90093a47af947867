"""
What it checks
--------------
Every instance group that a pod's node selector names, against the groups of the HyperPod cluster in the templates.

Why it matters
--------------
No node ever carries the label: the pods stay pending, and nothing but an event on the pod says so.

When this is fine
-----------------
When the group is made outside these templates; then check the manifests alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.agreement.disagreements import hits
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView

RULE = Rule(
    id="DPD1001",
    name="group-selected",
    severity=Severity.ERROR,
    title="A role selects an instance group that the templates do not make",
    fix="name an instance group of the cluster in the role's node selector, or add the group to the cluster",
    sources=("hyperpod-dpd, re-derived from templates and manifests",),
    applies_to=AppliesTo.PAIR,
    waivable=True,
    tags=("agreement",),
    example=Example(
        before="nodeSelector names group 'prefil'",
        after="nodeSelector names group 'prefill', which the cluster has",
        of="pair",
    ),
)


def check(pair: PairView) -> Iterator[Hit]:
    yield from hits(pair, "group")
