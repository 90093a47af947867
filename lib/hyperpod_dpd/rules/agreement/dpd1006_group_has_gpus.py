"""
What it checks
--------------
GPUs of all pods that select a group, at the most that autoscaling may reach, against nodes times GPUs in the
template.

Why it matters
--------------
Pods beyond the group's size stay pending; where they are decoders, nothing is served.

When this is fine
-----------------
When the group is made larger before scaling reaches its most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.agreement.disagreements import hits
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView

RULE = Rule(
    id="DPD1006",
    name="group-has-gpus",
    severity=Severity.ERROR,
    title="Pods ask for more GPUs than the instance group's nodes have",
    fix="raise the group's InstanceCount, or lower replicas and maxReplicaCount",
    sources=("hyperpod-dpd, re-derived from templates and manifests",),
    applies_to=AppliesTo.PAIR,
    waivable=True,
    tags=("agreement",),
    example=Example(
        before="three pods of 8 GPUs on two nodes",
        after="two pods of 8 GPUs on two nodes",
        of="pair",
    ),
)


def check(pair: PairView) -> Iterator[Hit]:
    yield from hits(pair, "capacity")
