from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.engine import shortest_limit_tokens
from hyperpod_dpd.view.traffic import routing_threshold


@rule(
    ("DPD613", "threshold-unreachable", ERROR, DISAGGREGATED),
    title="No request can reach the routing threshold",
    what="routingThreshold, 4096 where absent, against --max-model-len, or the model's own limit.",
    why="""A prompt of as many tokens as the engine accepts is refused or goes to the decoder: the prefillers
    never get a request. Only text with more than four characters to a token may pass, by the error of the
    estimate.""",
    fine="Never; to switch disaggregation off, remove pdSpec.",
    fix="lower routingThreshold below --max-model-len",
    sources="derived from the router's comparison and the engine's limit",
    covers=("R100",),
    tags=("routing", "silent"),
    before="spec: {pdSpec: {routingThreshold: 16384}}",
    after="spec: {pdSpec: {routingThreshold: 4096}}",
)
def check(endpoint: EndpointView) -> Matches:
    threshold, limit = routing_threshold(endpoint), shortest_limit_tokens(endpoint)
    if limit is not None and threshold >= limit:
        yield Match(
            ("spec", "pdSpec", "routingThreshold"),
            f"requests disaggregate from an estimate of {threshold:,} tokens, and the engine accepts {limit:,}",
        )
