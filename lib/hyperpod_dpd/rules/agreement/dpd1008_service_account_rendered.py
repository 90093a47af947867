"""
What it checks
--------------
Every service account that a pod identity or a role in the templates lets act, against those rendered or brought by
add-ons.

Why it matters
--------------
The pod of that name runs without its AWS rights, and fails at its first call.

When this is fine
-----------------
For accounts that another team's manifests bring.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.agreement.disagreements import hits
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView

RULE = Rule(
    id="DPD1008",
    name="service-account-rendered",
    severity=Severity.ERROR,
    title="A role trusts a service account that no manifest renders",
    fix="render the service account, or correct namespace and name in the template",
    sources=("hyperpod-dpd, re-derived from templates and manifests",),
    applies_to=AppliesTo.PAIR,
    waivable=True,
    tags=("agreement",),
    example=Example(
        before="an association for serving/cliemt",
        after="an association for serving/client, which is rendered",
        of="pair",
    ),
)


def check(pair: PairView) -> Iterator[Hit]:
    yield from hits(pair, "service-account")
