"""
What it checks
--------------
That an endpoint with the session strategy says what identifies a session: routing.session_key in an environment, the
variable SESSION_KEY in a manifest.

Why it matters
--------------
The router keeps a session's requests together by a header of that name. Without one it falls back to spreading by
load, and the caches are used by chance; nothing reports it.

When this is fine
-----------------
Where the operator is given the key elsewhere; the resource has no field for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD607",
    name="session-key",
    severity=Severity.WARNING,
    title="Session routing without a session key",
    fix="name the header that carries the session, as routing.session_key or the environment variable SESSION_KEY",
    sources=(
        "production-stack, session router",
        "SageMaker developer guide, example of an endpoint with routing",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R125",),
    tags=("routing", "silent"),
    example=Example(
        before="endpoints: {llama-70b: {routing: {strategy: session}}}",
        after="endpoints: {llama-70b: {routing: {strategy: session, session_key: x-session-id}}}",
        of="environment",
    ),
)

VARIABLE = names.SESSION_KEY_VARIABLE


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.routing_strategy != "session" or endpoint.context.session_key:
        return
    variable = endpoint.environment.get(VARIABLE)
    if variable is None or variable.value == "":
        yield Hit(
            ("spec", "intelligentRoutingSpec", "routingStrategy"),
            f"the strategy is session, and neither a session key nor {VARIABLE} says what identifies a session",
        )
