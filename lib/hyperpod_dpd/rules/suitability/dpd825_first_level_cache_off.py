"""
What it checks
--------------
That the L1 cache is on where prefill is disaggregated.

Why it matters
--------------
Repeated prefixes are served from the prefiller's L1 cache and from nowhere else: the decoder stores nothing.
Without it every turn of a conversation is computed from its first token.

When this is fine
-----------------
Where prompts share nothing and host memory is short.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD825",
    name="first-level-cache-off",
    severity=Severity.WARNING,
    title="The prefillers keep no KV cache",
    fix="set kvCacheSpec.enableL1Cache to true",
    sources=("SageMaker developer guide, DPD page, KV caching",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R178",),
    tags=("cache",),
    example=Example(
        before="spec: {kvCacheSpec: {enableL1Cache: false}}",
        after="spec: {kvCacheSpec: {enableL1Cache: true}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.get("kvCacheSpec", "enableL1Cache") is False:
        yield Hit(
            ("spec", "kvCacheSpec", "enableL1Cache"),
            "the L1 cache is off, so the prefillers compute every repeated prefix again",
        )
