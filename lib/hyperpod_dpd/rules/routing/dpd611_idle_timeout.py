from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.context import MissingFact
from hyperpod_dpd.view.engine import shortest_limit_tokens

_PATH = ("spec", "loadBalancer", "idleTimeoutSeconds")


@rule(
    ("DPD611", "idle-timeout", WARNING, DISAGGREGATED),
    title="The load balancer may cut long prompts before the first token",
    what="""An idle timeout that is absent, and so 60 s, or not above that, against a worst case of the first
    token: the longest prompt alone, and the declared number of requests at once, each of the P95 length,
    queued at the prefillers.""",
    why="""Until the first token nothing flows through the connection, and the load balancer answers 504 after
    the timeout; the prefill goes on for nobody. The time of a prompt is taken from the one in AWS's log and
    is an estimate, not confirmed for your model.""",
    fine="""Where the first token is known to come sooner, or callers reach the router without the load
    balancer.""",
    fix="set loadBalancer.idleTimeoutSeconds to 300 or more (operator 3.3 or later)",
    sources="HyperPod inference release notes, operator 3.3 | AWS machine learning blog on DPD, router log",
    covers=("R130",),
    tags=("routing",),
    of="environment",
    before="endpoints: {llama-70b: {traffic: {input_tokens: {p50: 8000, p95: 14000}, concurrency: 64}}}",
    after="""endpoints:
      llama-70b:
        load_balancer: {idle_timeout_seconds: 600}
        traffic: {input_tokens: {p50: 8000, p95: 14000}, concurrency: 64}""",
)
def check(endpoint: EndpointView) -> Matches:
    given = endpoint.get("loadBalancer", "idleTimeoutSeconds")
    default = engine_defaults.router().idle_timeout_seconds
    timeout = given if isinstance(given, int) else default
    if timeout > default:
        return
    documented = engine_defaults.documented()
    seconds_per_token = documented.sample_prefill_seconds / documented.sample_prefill_tokens
    state = f"the idle timeout is {timeout} s" + ("" if given is not None else ", the default")
    alone = (shortest_limit_tokens(endpoint) or 0) * seconds_per_token
    if alone > timeout:
        yield Match(_PATH, f"{state}; the longest prompt alone may take {alone:,.0f} s to prefill (estimate)")
        return
    traffic = endpoint.traffic
    if traffic.input_tokens is None:
        raise MissingFact("distribution of prompt lengths")
    if traffic.concurrency is None:
        raise MissingFact("number of concurrent requests")
    tokens = traffic.input_tokens.p95 or traffic.input_tokens.p50
    prefillers = max(1, endpoint.prefill.replicas) if endpoint.prefill else 1
    queued = -(-traffic.concurrency // prefillers) * tokens * seconds_per_token
    if queued > timeout:
        yield Match(
            _PATH,
            f"{state}; {traffic.concurrency} requests of {tokens:,} tokens at {prefillers} prefiller(s) may wait "
            "longer than that for the first token (estimate)",
        )
