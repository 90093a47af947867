"""
What it checks
--------------
That the environment has the observability add-on, whose workspace holds this project's alerts: tokens that do
not land, slow transfers, allocation retries, a degraded LMCache, a missing hash seed, wrong roles. A lone
manifest says nothing of it and is not judged.

Why it matters
--------------
A transfer that does not land or leaves EFA fails no request. Without these alerts the endpoint serves from
twice the GPUs what one pool would serve, for as long as nobody looks.

When this is fine
-----------------
Where another monitoring system has the same alerts. Outside production this is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.origin import ENVIRONMENT

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD903",
    name="no-alerts",
    severity=Severity.ERROR,
    title="Nothing alerts on the silent failures of disaggregation",
    fix="set observability.enabled to true, or acknowledge this with the place where your own alerts are",
    sources=(
        "SageMaker developer guide, DPD troubleshooting page, symptoms that are numbers",
        "LMCache 0.4.3, PD backend and cache engine, log lines",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R182",
        "S11.3",
    ),
    waivable=True,
    tags=(
        "observability",
        "silent",
    ),
    example=Example(
        before="""
production: true
observability: {enabled: false}
""",
        after="""
production: true
observability: {enabled: true}
""",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.observability.enabled:
        return
    yield Hit(
        (*ENVIRONMENT, "observability", "enabled"),
        f"observability is off, so nothing watches whether KV pages of endpoint {endpoint.name} land, and how fast",
        Severity.ERROR if endpoint.production else Severity.WARNING,
    )
