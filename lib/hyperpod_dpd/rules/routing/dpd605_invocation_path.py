from hyperpod_dpd.rules.defaults import default_of
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule

_SERVED = ("v1/", "completions")
_PLACEHOLDER = ("$", "<", "{{")


@rule(
    ("DPD605", "invocation-path", ERROR, DISAGGREGATED),
    title="The router has no route for the invocation path",
    what="""That invocationEndpoint is set to a path of the router and not left to the resource's default,
    invocations; another path outside v1/ is a warning.""",
    why="""With pdSpec every request passes the router. vLLM itself serves /invocations, the router it derives
    from serves only paths under /v1: requests are answered by 404.""",
    fine="Never with pdSpec; colocated endpoints are not judged.",
    fix="set invocationEndpoint to v1/chat/completions or v1/completions",
    sources="""InferenceEndpointConfig CRD, operator 3.2, default of invocationEndpoint | production-stack,
    routes of the router""",
    covers=("R123",),
    tags=("routing",),
    before="spec: {invocationEndpoint: invocations}",
    after="spec: {invocationEndpoint: v1/chat/completions}",
)
def check(endpoint: EndpointView) -> Matches:
    unset = str(default_of("invocationEndpoint") or "")
    given = endpoint.get("invocationEndpoint")
    path = str(given if given is not None else unset).strip("/")
    if path in ("", unset):
        yield Match(
            ("spec", "invocationEndpoint"),
            f"the path is '{path or '/'}'"
            + (", the default" if given is None else "")
            + ", which the router does not serve",
        )
    elif not path.startswith(_SERVED) and not path.startswith(_PLACEHOLDER):
        yield Match(
            ("spec", "invocationEndpoint"),
            f"the path is '{path}'; that the router serves any outside v1/ is not confirmed",
            WARNING,
        )
