"""
What it checks
--------------
The operator's release against the first one whose router knows kvaware.

Why it matters
--------------
An older router does not know the strategy; requests are spread without regard to the caches.

When this is fine
-----------------
With a test that shows requests with a common prefix on one prefiller, acknowledged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD603",
    name="kvaware-operator",
    severity=Severity.ERROR,
    title="kvaware routing with an operator that is too old",
    fix="upgrade the operator, or choose another strategy",
    sources=("SageMaker developer guide, KV caching and intelligent routing, table of versions",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R121",),
    waivable=True,
    tags=("routing", "operator"),
    example=Example(
        before="""
operator: {release: "3.1"}
endpoints: {llama-70b: {routing: {strategy: kvaware}, invocation_path: v1/completions}}
""",
        after="""
operator: {release: "3.4"}
endpoints: {llama-70b: {routing: {strategy: kvaware}, invocation_path: v1/completions}}
""",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.routing_strategy != "kvaware":
        return
    floor = operator_releases.kvaware_release()
    if endpoint.operator < floor:
        yield Hit(
            ("spec", "intelligentRoutingSpec", "routingStrategy"),
            f"kvaware needs operator {floor} or later, and {endpoint.operator} is declared",
        )
