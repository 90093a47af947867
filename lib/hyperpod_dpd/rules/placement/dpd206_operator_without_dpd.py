"""
What it checks
--------------
That the declared release of the inference operator is at least the first one with disaggregated prefill and
decode.

Why it matters
--------------
Older releases drop pdSpec without a word, and what they do start restarts with EngineDeadError or TimeoutError:
the two messages look like a fault of the model.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD206",
    name="operator-without-dpd",
    severity=Severity.ERROR,
    title="The operator release does not know disaggregation",
    fix="upgrade the inference operator to a release that has disaggregation",
    sources=(
        "SageMaker developer guide, DPD page, prerequisites, and its troubleshooting page",
        "HyperPod inference release notes, 3.2",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R20",),
    tags=("operator",),
    example=Example(
        of="environment",
        before='operator: {release: "3.1.2"}',
        after='operator: {release: "3.4"}',
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    release, first = endpoint.operator, operator_releases.dpd_release()
    if release < first:
        yield Hit(
            ("spec", "pdSpec"),
            f"operator {release} does not know pdSpec; {first} is the first that does",
            fix=f"set the operator's release to {operator_releases.recommended_release()} or later",
        )
