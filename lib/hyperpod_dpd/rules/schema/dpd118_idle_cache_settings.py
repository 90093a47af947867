"""
What it checks
--------------
l2CacheSpec where enableL2Cache is false or absent.

Why it matters
--------------
The switch is off by default, so the backend is named and not used: a reader takes the second level for working.
Operators before 3.3 ignored the switch, and there the settings do count.

When this is fine
-----------------
While the cache is switched off for a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD118",
    name="idle-cache-settings",
    severity=Severity.WARNING,
    title="Second-level cache settings without the cache",
    fix="remove l2CacheSpec, or set enableL2Cache: true",
    sources=(
        "InferenceEndpointConfig CRD, operator 3.2, kvCacheSpec",
        "observed in a public manifest generator",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("E-97",),
    tags=("cache",),
    example=Example(
        before="spec: {kvCacheSpec: {enableL2Cache: false, l2CacheSpec: {l2CacheBackend: redis}}}",
        after="spec: {kvCacheSpec: {enableL2Cache: false, l2CacheSpec: null}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    cache = endpoint.spec.get("kvCacheSpec")
    if not isinstance(cache, dict) or not cache.get("l2CacheSpec") or cache.get("enableL2Cache") is True:
        return
    state = "is false" if cache.get("enableL2Cache") is False else "is absent, which means false"
    yield Hit(("spec", "kvCacheSpec", "l2CacheSpec"), f"l2CacheSpec has no effect: enableL2Cache {state}")
