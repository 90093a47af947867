"""
What it checks
--------------
That l2CacheSpec is given only together with enableL2Cache.

Why it matters
--------------
enableL2Cache is false unless set, so the described cache does nothing, and a reader believes that it works.

When this is fine
-----------------
Where it is kept ready to be switched on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView

RULE = Rule(
    id="DPD822",
    name="idle-second-level",
    severity=Severity.WARNING,
    title="An L2 cache is described but not switched on",
    fix="remove l2CacheSpec, or set enableL2Cache where the endpoint is colocated",
    sources=("InferenceEndpointConfig CRD, operator 3.2, kvCacheSpec",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("E-97",),
    tags=("cache",),
    example=Example(
        before="spec: {kvCacheSpec: {l2CacheSpec: {l2CacheBackend: tieredstorage}}}",
        after="spec: {kvCacheSpec: {enableL1Cache: true}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if (
        endpoint.has("kvCacheSpec", "l2CacheSpec")
        and endpoint.get("kvCacheSpec", "enableL2Cache") is not True
    ):
        yield Hit(
            ("spec", "kvCacheSpec", "l2CacheSpec"),
            "l2CacheSpec is given while enableL2Cache is not true, so it has no effect",
        )
