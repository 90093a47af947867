"""
What it checks
--------------
Every label of a node selector against the labels that the group in the template gives its nodes.

Why it matters
--------------
A label that no node has keeps the pods pending.

When this is fine
-----------------
For labels that another controller puts on nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.agreement.disagreements import hits
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView

RULE = Rule(
    id="DPD1003",
    name="labels-agree",
    severity=Severity.ERROR,
    title="A node selector asks for a label that the group does not give its nodes",
    fix="add the label to the group's KubernetesConfig, or remove it from the selector",
    sources=("hyperpod-dpd, re-derived from templates and manifests",),
    applies_to=AppliesTo.PAIR,
    waivable=True,
    tags=("agreement",),
    example=Example(
        before="selector role=decode on a group labelled role=prefill",
        after="selector and label alike",
        of="pair",
    ),
)


def check(pair: PairView) -> Iterator[Hit]:
    yield from hits(pair, "label")
