"""
What it checks
--------------
Buckets of weights and certificates in manifests against buckets made, or named in a policy, in the templates.

Why it matters
--------------
The volume cannot be mounted, or the operator cannot write the certificate: the endpoint never becomes ready.

When this is fine
-----------------
When bucket and grants are managed outside these templates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.agreement.disagreements import hits
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.pair_view import PairView

RULE = Rule(
    id="DPD1007",
    name="bucket-known",
    severity=Severity.ERROR,
    title="A manifest names a bucket that the templates neither make nor grant",
    fix="name the bucket that the storage stack makes, or grant the roles this one",
    sources=("hyperpod-dpd, re-derived from templates and manifests",),
    applies_to=AppliesTo.PAIR,
    waivable=True,
    tags=("agreement",),
    example=Example(
        before="bucketName 'model', the template makes 'models'",
        after="bucketName 'models', the template makes 'models'",
        of="pair",
    ),
)


def check(pair: PairView) -> Iterator[Hit]:
    yield from hits(pair, "bucket")
