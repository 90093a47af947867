"""
What it checks
--------------
That a role in the templates trusts the accounts under which the inference operator may run.

Why it matters
--------------
The operator gets no credentials: endpoints stay without load balancer, certificate and SageMaker endpoint.

When this is fine
-----------------
When the operator's role is made outside these templates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.agreement.disagreements import hits
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView

RULE = Rule(
    id="DPD1009",
    name="operator-trusted",
    severity=Severity.ERROR,
    title="No role of the templates trusts the operator's service accounts",
    fix="trust both service account names, of the add-on and of the Helm chart, in the operator's role",
    sources=("hyperpod-dpd, re-derived from templates and manifests",),
    applies_to=AppliesTo.PAIR,
    waivable=True,
    tags=("agreement",),
    example=Example(
        before="no role trusts the operator",
        after="the operator's role trusts both of its accounts",
        of="pair",
    ),
)


def check(pair: PairView) -> Iterator[Hit]:
    yield from hits(pair, "operator-identity")
