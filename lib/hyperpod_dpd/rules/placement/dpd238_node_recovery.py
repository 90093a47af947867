"""
What it checks
--------------
That automatic node recovery is on; in production its absence is a warning.

Why it matters
--------------
HyperPod detects faulty GPUs and EFA interfaces either way. With recovery off it only labels the node, and the
one decoder waits for a person.

When this is fine
-----------------
While a node is kept for a post-mortem.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD238",
    name="node-recovery",
    severity=Severity.INFO,
    title="Faulty nodes are not replaced by themselves",
    fix="set cluster.node_recovery to true",
    sources=("SageMaker developer guide, HyperPod resiliency: automatic node recovery",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.9c",),
    tags=("production",),
    example=Example(
        of="environment",
        before="cluster: {node_recovery: false}",
        after="cluster: {node_recovery: true}",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    document = environment.document
    if not document.cluster.node_recovery:
        yield Hit(
            ("cluster", "node_recovery"),
            "node recovery is off: a faulty node is labelled, and replaced only by a person",
            Severity.WARNING if document.production else None,
        )
