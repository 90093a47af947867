"""
What it checks
--------------
That metrics.enabled is not false on a disaggregated endpoint.

Why it matters
--------------
Every failure that disaggregation adds shows as a number and never as an error. Without metrics there is no
DPD dashboard and no alert, and the proxy sidecar that request limits need is left out as well.

When this is fine
-----------------
On a short-lived endpoint whose logs somebody reads, acknowledged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD902",
    name="metrics-disabled",
    severity=Severity.ERROR,
    title="Metrics of a disaggregated endpoint are switched off",
    fix="set metrics.enabled to true, or leave it out",
    sources=(
        "SageMaker developer guide, DPD page, metrics",
        "SageMaker developer guide, request limits of inference endpoints",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R180",),
    waivable=True,
    tags=(
        "observability",
        "silent",
    ),
    example=Example(
        before="spec: {metrics: {enabled: false}}",
        after="spec: {metrics: {enabled: true, modelMetrics: {port: 8000}}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.get("metrics", "enabled") is False:
        yield Hit(
            ("spec", "metrics", "enabled"),
            "metrics are switched off, so a transfer that fails or slows down shows nowhere",
        )
