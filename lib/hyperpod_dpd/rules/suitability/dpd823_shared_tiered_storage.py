"""
What it checks
--------------
Whether endpoints of different namespaces use tieredstorage as their L2 cache.

Why it matters
--------------
The tiered store keeps KV pages of all deployments of a cluster, unencrypted and without isolation: pages hold
what users wrote.

When this is fine
-----------------
Where the namespaces belong to one tenant whose data may mix.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.together import EndpointsView

RULE = Rule(
    id="DPD823",
    name="shared-tiered-storage",
    severity=Severity.WARNING,
    title="Tenants share the tiered KV store",
    fix="keep tieredstorage to one tenant of the cluster, or give the others redis or no L2 cache",
    sources=("SageMaker developer guide, deploying models on HyperPod, tiered storage",),
    applies_to=AppliesTo.INPUTS,
    covers=("R176",),
    tags=(
        "cache",
        "security",
    ),
    example=Example(
        before="spec: {kvCacheSpec: {enableL2Cache: true, l2CacheSpec: {l2CacheBackend: tieredstorage}}}",
        after="spec: {kvCacheSpec: {enableL1Cache: true}}",
        of="two manifests",
    ),
)

_PATH = ("spec", "kvCacheSpec", "l2CacheSpec", "l2CacheBackend")


def check(together: EndpointsView) -> Iterator[Hit]:
    users = [
        (index, endpoint)
        for index, endpoint in enumerate(together.endpoints)
        if endpoint.get("kvCacheSpec", "enableL2Cache") is True
        and str(endpoint.get(*_PATH[1:])).lower() == "tieredstorage"
    ]
    namespaces = sorted({endpoint.namespace for _, endpoint in users})
    if len(namespaces) < 2:
        return
    for index, endpoint in users:
        others = ", ".join(n for n in namespaces if n != endpoint.namespace)
        yield Hit(
            (index, *_PATH),
            f"endpoint {endpoint.name} of namespace {endpoint.namespace} shares the tiered store, which neither "
            f"encrypts nor separates, with namespace {others}",
        )
