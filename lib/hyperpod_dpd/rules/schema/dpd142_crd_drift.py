"""
What it checks
--------------
Where the resource definition given with `--crd` and the fields known to this catalogue differ, both ways.

Why it matters
--------------
A field that the definition lacks is dropped; a field that the catalogue lacks is judged by no rule here. A limit that
differs means that one of the two is older.

When this is fine
-----------------
A definition of an older or newer operator release than the catalogue's is expected to differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.crd import CrdView

RULE = Rule(
    id="DPD142",
    name="crd-drift",
    severity=Severity.INFO,
    title="The cluster's resource definition and this catalogue differ",
    fix="compare the operator's release with the catalogue's date, and upgrade the older of the two",
    sources=("the CustomResourceDefinition given with --crd",),
    applies_to=AppliesTo.CRD,
    tags=("schema", "crd"),
    example=Example(
        before="a definition without spec.loadBalancer.idleTimeoutSeconds",
        after="a definition with every field of the declared operator release",
        of="crd",
    ),
)

_NOTES = frozenset({"only-in-crd", "only-ours", "not-evaluated", "default"})


def check(crd: CrdView) -> Iterator[Hit]:
    if not crd.serves_current:
        yield Hit((), "the definition does not serve version v1, which has pdSpec", Severity.WARNING)
    for difference in crd.drift():
        severity = None if difference.kind in _NOTES else Severity.WARNING
        yield Hit(difference.path, difference.message, severity)
