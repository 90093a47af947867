from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.traffic import routing_threshold


@rule(
    ("DPD614", "low-threshold", WARNING, DISAGGREGATED),
    title="The routing threshold is very low",
    what="routingThreshold below what AWS's tuning table warns of, and zero.",
    why="""Below some thousand tokens the transfer costs more than the prefill it saves, so the first token
    comes later. With zero every request disaggregates, and the prefillers become part of the critical path:
    without one, nothing is answered.""",
    fine="Zero, to test the disaggregated path alone.",
    fix="raise routingThreshold; 4096 is the documented start",
    sources="""SageMaker developer guide, DPD page, tuning table | InferenceEndpointConfig CRD, operator 3.2,
    routingThreshold""",
    covers=("R101", "R102"),
    tags=("routing", "performance"),
    before="spec: {pdSpec: {routingThreshold: 512}}",
    after="spec: {pdSpec: {routingThreshold: 4096}}",
)
def check(endpoint: EndpointView) -> Matches:
    threshold = routing_threshold(endpoint)
    low = engine_defaults.suitability().low_routing_threshold_tokens
    path = ("spec", "pdSpec", "routingThreshold")
    if threshold == 0:
        yield Match(
            path,
            "the threshold is 0: every request disaggregates, so nothing is answered without a prefiller",
        )
    elif threshold < low:
        yield Match(path, f"the threshold is {threshold}; below {low} the transfer delays the first token")
