from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.defaults import in_effect
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD612", "health-check-path", ERROR, DISAGGREGATED),
    title="The router does not answer the health check",
    what="That loadBalancer.healthCheckPath is /health; absent, it is /ping.",
    why="""With pdSpec the load balancer's target is the router, which answers /health only. With /ping the
    target never becomes healthy and every request from outside gets 503.""",
    fine="Never with the routers in the catalogue.",
    fix="set loadBalancer.healthCheckPath to /health",
    sources="SageMaker developer guide, DPD page, example | production-stack, routes of the router",
    covers=("R131",),
    tags=("routing",),
    before="spec: {loadBalancer: {healthCheckPath: /ping}}",
    after="spec: {loadBalancer: {healthCheckPath: /health}}",
)
def check(endpoint: EndpointView) -> Matches:
    wanted = engine_defaults.router().health_path
    given = endpoint.get("loadBalancer", "healthCheckPath")
    path = in_effect(endpoint, "loadBalancer", "healthCheckPath")
    if path != wanted:
        yield Match(
            ("spec", "loadBalancer", "healthCheckPath"),
            f"the path is '{path}'{', the default' if given is None else ''}, and the router answers {wanted}",
        )
