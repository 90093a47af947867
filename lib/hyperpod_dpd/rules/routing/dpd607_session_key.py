from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule

VARIABLE = names.SESSION_KEY_VARIABLE


@rule(
    ("DPD607", "session-key", WARNING, ENDPOINT),
    title="Session routing without a session key",
    what="""That an endpoint with the session strategy says what identifies a session: routing.session_key in
    an environment, the variable SESSION_KEY in a manifest.""",
    why="""The router keeps a session's requests together by a header of that name. Without one it falls back
    to spreading by load, and the caches are used by chance; nothing reports it.""",
    fine="Where the operator is given the key elsewhere; the resource has no field for it.",
    fix="""name the header that carries the session, as routing.session_key or the environment variable
    SESSION_KEY""",
    sources="""production-stack, session router | SageMaker developer guide, example of an endpoint with
    routing""",
    covers=("R125",),
    tags=("routing", "silent"),
    of="environment",
    before="endpoints: {llama-70b: {routing: {strategy: session}}}",
    after="endpoints: {llama-70b: {routing: {strategy: session, session_key: x-session-id}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.routing_strategy != "session" or endpoint.context.session_key:
        return
    variable = endpoint.environment.get(VARIABLE)
    if variable is None or variable.value == "":
        yield Match(
            ("spec", "intelligentRoutingSpec", "routingStrategy"),
            f"the strategy is session, and neither a session key nor {VARIABLE} says what identifies a session",
        )
