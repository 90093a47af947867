"""
What it checks
--------------
That the operator's release is not one of those with disaggregation but with faults, repaired since, that touch
it.

Why it matters
--------------
The faults are of the silent kind: every request answered with 503 while all health is green, an endpoint
registration that never ends, a cache switched off that stays on.

When this is fine
-----------------
Until the next maintenance window, when the three faults are known to the people on call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD207",
    name="operator-with-known-faults",
    severity=Severity.WARNING,
    title="The operator release has faults that touch disaggregation",
    fix="upgrade the inference operator to the release that repaired them",
    sources=("HyperPod inference release notes, 3.3",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R21",),
    tags=("operator",),
    example=Example(
        of="environment",
        before='operator: {release: "3.2"}',
        after='operator: {release: "3.3"}',
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    release = endpoint.operator
    if not operator_releases.dpd_release() <= release:
        return
    faults = operator_releases.fixes_missing_in(release)
    if faults:
        wanted = max(fault.fixed_in for fault in faults)
        problems = "; ".join(fault.problem for fault in faults)
        yield Hit(
            ("spec", "pdSpec"),
            f"operator {release} has faults repaired in {wanted}: {problems}",
            fix=f"set the operator's release to {wanted} or later",
        )
