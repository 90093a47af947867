from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.defaults import in_effect
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD601", "kvaware-endpoint", ERROR, ENDPOINT),
    title="kvaware routing with a path that it cannot read",
    what="That an endpoint routed by kvaware is invoked through the completions path.",
    why="""The kvaware router looks up the prompt's tokens and reads them from the completions request only.
    With a chat path every lookup misses and requests are spread without regard to the caches; nothing reports
    it.""",
    fine="Never with the releases in the catalogue, whose kvaware router reads completions only.",
    fix="set invocationEndpoint to v1/completions, or choose prefixaware, session or roundrobin",
    sources="""SageMaker developer guide, KV caching and intelligent routing | production-stack, routing logic
    of the kvaware router""",
    covers=("R120",),
    tags=("routing",),
    before="spec: {intelligentRoutingSpec: {routingStrategy: kvaware}, invocationEndpoint: v1/chat/completions}",
    after="spec: {intelligentRoutingSpec: {routingStrategy: kvaware}, invocationEndpoint: v1/completions}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.routing_strategy != "kvaware":
        return
    text = str(in_effect(endpoint, "invocationEndpoint"))
    allowed = {p.strip("/") for p in engine_defaults.router().kvaware_endpoints}
    if text.strip("/") not in allowed:
        yield Match(
            ("spec", "invocationEndpoint"),
            f"kvaware reads {' or '.join(sorted(allowed))} requests only, and the endpoint is invoked as '{text}'",
        )
