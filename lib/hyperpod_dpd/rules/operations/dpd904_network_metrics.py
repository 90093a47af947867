"""
What it checks
--------------
That the add-on's network category, which it leaves off unless told otherwise, is collected.

Why it matters
--------------
EFA counters beside the bytes that KV transfers should move are the one proof that transfers use EFA. Without
them a fallback to TCP is seen only as latency.

When this is fine
-----------------
Where EFA is watched by an exporter of your own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.origin import ENVIRONMENT

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD904",
    name="network-metrics",
    severity=Severity.WARNING,
    title="EFA counters are not collected",
    fix="set observability.network_metrics to true",
    sources=("SageMaker developer guide, HyperPod observability add-on, levels of metric categories",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R183",),
    tags=(
        "observability",
        "efa",
    ),
    example=Example(
        before="observability: {network_metrics: false}",
        after="observability: {network_metrics: true}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    observability = endpoint.observability
    if observability.enabled and not observability.network_metrics:
        yield Hit(
            (*ENVIRONMENT, "observability", "network_metrics"),
            f"EFA counters are off, so whether endpoint {endpoint.name} transfers over EFA cannot be seen",
        )
