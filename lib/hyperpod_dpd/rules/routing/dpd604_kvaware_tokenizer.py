"""
What it checks
--------------
Whether kvaware is used with a model named by a local path.

Why it matters
--------------
The upstream router loads the tokenizer by the model's name. A path of the worker means nothing in the router's pod;
it then asks the worker's /tokenize for every request. How AWS's router does it is not confirmed. Without tokens it
matches nothing and falls back.

When this is fine
-----------------
When the router's log shows requests being routed by their cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD604",
    name="kvaware-tokenizer",
    severity=Severity.WARNING,
    title="The kvaware router has no tokenizer of its own",
    fix="choose prefixaware, session or roundrobin, or see in the router's log that requests are matched",
    sources=("production-stack, kvaware router, loading of the tokenizer",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R122",),
    tags=("routing",),
    example=Example(
        before="spec: {intelligentRoutingSpec: {routingStrategy: kvaware}, invocationEndpoint: v1/completions}",
        after="spec: {intelligentRoutingSpec: {routingStrategy: roundrobin}, invocationEndpoint: v1/completions}",
    ),
)

FLAG = "--model"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    prefill = endpoint.prefill
    model = prefill.arguments.get(FLAG) if prefill else None
    if endpoint.routing_strategy == "kvaware" and model is not None and model.startswith("/"):
        yield Hit(
            ("spec", "intelligentRoutingSpec", "routingStrategy"),
            f"kvaware tokenizes prompts, and '{model}' is a path in the worker; where AWS's router gets the "
            "tokenizer from is not confirmed",
        )
