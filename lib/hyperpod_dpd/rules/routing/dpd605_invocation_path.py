"""
What it checks
--------------
That invocationEndpoint is set to a path of the router and not left to the resource's default, invocations; another
path outside v1/ is a warning.

Why it matters
--------------
With pdSpec every request passes the router. vLLM itself serves /invocations, the router it derives from serves only
paths under /v1: requests are answered by 404.

When this is fine
-----------------
Never with pdSpec; colocated endpoints are not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD605",
    name="invocation-path",
    severity=Severity.ERROR,
    title="The router has no route for the invocation path",
    fix="set invocationEndpoint to v1/chat/completions or v1/completions",
    sources=(
        "InferenceEndpointConfig CRD, operator 3.2, default of invocationEndpoint",
        "production-stack, routes of the router",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R123",),
    tags=("routing",),
    example=Example(
        before="spec: {invocationEndpoint: invocations}",
        after="spec: {invocationEndpoint: v1/chat/completions}",
    ),
)

_SERVED = ("v1/", "completions")
_PLACEHOLDER = ("$", "<", "{{")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    default = engine_defaults.manifest_default("spec.invocationEndpoint")
    unset = str(default.value) if default else ""
    given = endpoint.get("invocationEndpoint")
    path = str(given if given is not None else unset).strip("/")
    if path in ("", unset):
        yield Hit(
            ("spec", "invocationEndpoint"),
            f"the path is '{path or '/'}'"
            + (", the default" if given is None else "")
            + ", which the router does not serve",
        )
    elif not path.startswith(_SERVED) and not path.startswith(_PLACEHOLDER):
        yield Hit(
            ("spec", "invocationEndpoint"),
            f"the path is '{path}'; that the router serves any outside v1/ is not confirmed",
            Severity.WARNING,
        )
