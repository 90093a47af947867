"""
What it checks
--------------
That loadBalancer.healthCheckPath is /health; absent, it is /ping.

Why it matters
--------------
With pdSpec the load balancer's target is the router, which answers /health only. With /ping the target never becomes
healthy and every request from outside gets 503.

When this is fine
-----------------
Never with the routers in the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD612",
    name="health-check-path",
    severity=Severity.ERROR,
    title="The router does not answer the health check",
    fix="set loadBalancer.healthCheckPath to /health",
    sources=("SageMaker developer guide, DPD page, example", "production-stack, routes of the router"),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R131",),
    tags=("routing",),
    example=Example(
        before="spec: {loadBalancer: {healthCheckPath: /ping}}",
        after="spec: {loadBalancer: {healthCheckPath: /health}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    wanted = engine_defaults.router().health_path
    given = endpoint.get("loadBalancer", "healthCheckPath")
    default = engine_defaults.manifest_default("spec.loadBalancer.healthCheckPath")
    path = given if given is not None else default.value if default else None
    if path != wanted:
        yield Hit(
            ("spec", "loadBalancer", "healthCheckPath"),
            f"the path is '{path}'{', the default' if given is None else ''}, and the router answers {wanted}",
        )
