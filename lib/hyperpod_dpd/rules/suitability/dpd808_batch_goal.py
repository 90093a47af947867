from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD808", "batch-goal", WARNING, DISAGGREGATED),
    title="Batch work gains nothing from disaggregation",
    what="Whether the endpoint is declared for batch or offline work.",
    why="""Nobody watches tokens arrive in a batch, so the steady flow that disaggregation buys has no reader,
    and its later first token and second pool remain.""",
    fine="Where interactive traffic shares the endpoint and is what it is bought for.",
    fix="serve batch work from a colocated endpoint",
    sources="""SageMaker developer guide, DPD page, when it pays and known limits | AWS machine-learning blog
    on DPD, where colocated serving is simpler""",
    covers=("R173", "S7.8-4"),
    tags=("suitability", "objectives"),
    of="environment",
    before="endpoints: {llama-70b: {objectives: {batch: true, inter_token_latency_p99_ms: 50}}}",
    after="endpoints: {llama-70b: {objectives: {inter_token_latency_p99_ms: 50}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.objectives.batch:
        yield Match(("objectives", "batch"), "the endpoint is declared for batch work on disaggregated pools")
