"""
What it checks
--------------
A strategy other than the default where prefill has one replica and does not scale.

Why it matters
--------------
The strategy chooses among prefillers. With one there is no choice, while kvaware and session bring conditions of
their own.

When this is fine
-----------------
In preparation of more prefillers: routing of an existing endpoint cannot be changed later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.engine import most_prefillers

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD608",
    name="single-prefiller",
    severity=Severity.INFO,
    title="A routing strategy with one prefiller to choose from",
    fix="leave the strategy at prefixaware until there are several prefillers",
    sources=("SageMaker developer guide, DPD page, tuning table",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R126",),
    tags=("routing",),
    example=Example(
        before="spec: {intelligentRoutingSpec: {routingStrategy: roundrobin}}",
        after="spec: {intelligentRoutingSpec: {routingStrategy: prefixaware}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    strategy = endpoint.routing_strategy
    if strategy != engine_defaults.documented().routing_strategy and most_prefillers(endpoint) == 1:
        yield Hit(
            ("spec", "intelligentRoutingSpec", "routingStrategy"),
            f"{strategy} has no effect: there is one prefiller",
        )
