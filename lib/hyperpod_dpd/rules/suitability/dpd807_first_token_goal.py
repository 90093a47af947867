from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD807", "first-token-goal", WARNING, DISAGGREGATED),
    title="Disaggregation raises the time to first token",
    what="Whether the time to first token is declared as an objective and the inter-token latency is not.",
    why="""The KV cache has to travel before the first token comes: AWS itself says that the time to first
    token rises. Disaggregation buys a steady flow after it.""",
    fine="Where both are declared: then the first is a limit on the price, not the goal.",
    fix="""declare objectives.inter_token_latency_p99_ms if the flow of tokens matters more, else serve
    colocated""",
    sources="AWS machine-learning blog on DPD, time to first token",
    covers=("R173", "S10.2-4", "S12.3"),
    tags=("suitability", "objectives"),
    of="environment",
    before="endpoints: {llama-70b: {objectives: {time_to_first_token_p95_ms: 900}}}",
    after="endpoints: {llama-70b: {objectives: {time_to_first_token_p95_ms: 900, inter_token_latency_p99_ms: 50}}}",
)
def check(endpoint: EndpointView) -> Matches:
    objectives = endpoint.objectives
    if objectives.time_to_first_token_p95_ms is not None and objectives.inter_token_latency_p99_ms is None:
        yield Match(
            ("objectives", "time_to_first_token_p95_ms"),
            "the time to first token is the only latency objective, and disaggregation makes it longer",
        )
