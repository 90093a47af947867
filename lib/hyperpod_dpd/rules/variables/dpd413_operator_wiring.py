"""
What it checks
--------------
That nothing the operator wires for each role is set by hand: LMCACHE_PD_*, the role and peers under their
older NIXL names, LMCACHE_ENABLE_PD, LMCACHE_CONFIG_FILE, or kvCacheSpec.cacheConfigFile.

Why it matters
--------------
Both roles share the environment variables. A role, host or port set there reaches both, and the endpoint ends
up with two senders or two receivers; with a configuration file LMCache ignores its environment altogether,
the operator's included.

When this is fine
-----------------
For a setting of a newer LMCache that is the same on both sides (a time limit, a length), which is a warning,
or after a test, acknowledged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD413",
    name="operator-wiring",
    severity=Severity.ERROR,
    title="Settings that the operator wires per role are overridden",
    fix="remove the setting; the operator gives each role its own",
    sources=(
        "LMCache 0.4.3, names and aliases of the configuration",
        "InferenceEndpointConfig CRD, operator 3.2, kvCacheSpec.cacheConfigFile",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R71",),
    waivable=True,
    tags=("kv-transfer", "silent"),
    example=Example(
        before="spec: {worker: {environmentVariables: [{name: LMCACHE_PD_ROLE, value: sender}]}}",
        after="spec: {worker: {environmentVariables: [{name: LMCACHE_LOG_LEVEL, value: INFO}]}}",
    ),
)

_EXACT = frozenset(
    {
        "LMCACHE_CONFIG_FILE",
        "LMCACHE_ENABLE_NIXL",
        "LMCACHE_ENABLE_PD",
        "LMCACHE_ENABLE_XPYD",
        "LMCACHE_NIXL_PEER_ALLOC_PORT",
        "LMCACHE_NIXL_PEER_HOST",
        "LMCACHE_NIXL_PEER_INIT_PORT",
        "LMCACHE_NIXL_PEER_PORT",
        "LMCACHE_NIXL_PROXY_HOST",
        "LMCACHE_NIXL_PROXY_PORT",
        "LMCACHE_NIXL_RECEIVER_HOST",
        "LMCACHE_NIXL_RECEIVER_PORT",
        "LMCACHE_NIXL_ROLE",
    }
)
_PREFIX = "LMCACHE_PD_"
_BUFFER = "LMCACHE_PD_BUFFER_SIZE"  # judged by the rule on the buffer's name
_SAME_ON_BOTH = frozenset(
    {
        "LMCACHE_PD_ALLOCATION_TIMEOUT_SEC",
        "LMCACHE_PD_BACKEND_MODE",
        "LMCACHE_PD_BIDIRECTIONAL",
        "LMCACHE_PD_MAX_PREFILL_LEN",
        "LMCACHE_PD_RETRIEVE_LOCATIONS",
        "LMCACHE_PD_SKIP_PROXY_NOTIFICATION",
        "LMCACHE_PD_STORE_LOCATION",
    }
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for name, variable in endpoint.environment.items():
        if name in _SAME_ON_BOTH:
            yield Hit(
                variable.path,
                f"{name} reaches both roles; that the operator leaves room for it is not confirmed",
                Severity.WARNING,
                "test it on both roles, or remove it",
            )
        elif name in _EXACT or (name.startswith(_PREFIX) and name != _BUFFER):
            yield Hit(
                variable.path, f"{name} reaches both roles and overrides what the operator sets for each"
            )
    path = ("spec", "kvCacheSpec", "cacheConfigFile")
    if endpoint.get("kvCacheSpec", "cacheConfigFile"):
        yield Hit(
            path, "cacheConfigFile gives both roles one LMCache configuration in place of the operator's"
        )
