from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD906", "tail-objective", WARNING, DISAGGREGATED),
    title="No objective for the tail of latency",
    what="""That declared objectives, and any production endpoint, name a limit for latency: the tail of the
    inter-token latency, or at least the time to first token.""",
    why="""Availability and error rate stay perfect while transfers fail, because the decoder computes the
    prompt again. Only the distribution of latency shows it, and the tail is what disaggregation is bought
    for.""",
    fine="Where latency objectives are kept and watched elsewhere.",
    fix="declare objectives.inter_token_latency_p99_ms: what your readers accept between two tokens",
    sources="vLLM documentation, disaggregated prefilling, tail of inter-token latency",
    covers=("R184", "S10.2-8"),
    tags=("observability", "objectives"),
    of="environment",
    before="endpoints: {llama-70b: {objectives: {throughput_per_gpu: false}}}",
    after="endpoints: {llama-70b: {objectives: {inter_token_latency_p99_ms: 50}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.context.objectives is None and endpoint.context.production:
        yield Match(
            ("objectives",), "production without any latency objective: a silent fallback would alert nobody"
        )
        return
    objectives = endpoint.objectives
    if objectives.inter_token_latency_p99_ms is None and objectives.time_to_first_token_p95_ms is None:
        yield Match(
            ("objectives",), "the objectives name no latency, which is all that shows a silent fallback"
        )
