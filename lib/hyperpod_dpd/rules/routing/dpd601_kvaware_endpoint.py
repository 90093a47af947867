"""
What it checks
--------------
That an endpoint routed by kvaware is invoked through the completions path.

Why it matters
--------------
The kvaware router looks up the prompt's tokens and reads them from the completions request only. With a chat path
every lookup misses and requests are spread without regard to the caches; nothing reports it.

When this is fine
-----------------
Never with the releases in the catalogue, whose kvaware router reads completions only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD601",
    name="kvaware-endpoint",
    severity=Severity.ERROR,
    title="kvaware routing with a path that it cannot read",
    fix="set invocationEndpoint to v1/completions, or choose prefixaware, session or roundrobin",
    sources=(
        "SageMaker developer guide, KV caching and intelligent routing",
        "production-stack, routing logic of the kvaware router",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R120",),
    tags=("routing",),
    example=Example(
        before="spec: {intelligentRoutingSpec: {routingStrategy: kvaware}, invocationEndpoint: v1/chat/completions}",
        after="spec: {intelligentRoutingSpec: {routingStrategy: kvaware}, invocationEndpoint: v1/completions}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.routing_strategy != "kvaware":
        return
    path = endpoint.get("invocationEndpoint")
    default = engine_defaults.manifest_default("spec.invocationEndpoint")
    text = str(path if path is not None else default.value if default else "")
    allowed = {p.strip("/") for p in engine_defaults.router().kvaware_endpoints}
    if text.strip("/") not in allowed:
        yield Hit(
            ("spec", "invocationEndpoint"),
            f"kvaware reads {' or '.join(sorted(allowed))} requests only, and the endpoint is invoked as '{text}'",
        )
