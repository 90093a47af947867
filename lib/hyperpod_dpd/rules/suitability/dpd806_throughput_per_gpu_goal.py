from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD806", "throughput-per-gpu-goal", WARNING, DISAGGREGATED),
    title="Disaggregation does not raise throughput per GPU",
    what="Whether throughput per GPU is declared as an objective.",
    why="""vLLM states that disaggregation does not improve throughput. AWS's higher figures compare an
    endpoint on two nodes with one on a single node, and are not given per GPU.""",
    fine="""Never as the reason to disaggregate; compare throughput divided by GPUs, with a colocated endpoint
    on as many.""",
    fix="""serve colocated for throughput per GPU, or drop objectives.throughput_per_gpu if steady latency is
    the goal""",
    sources="""vLLM documentation, disaggregated prefilling | AWS machine-learning blog on DPD, benchmark
    conditions""",
    covers=("R173", "S7.8-7", "S8.2-6", "S10.2-5", "S11.2", "S12.2"),
    tags=("suitability", "objectives", "divergence"),
    of="environment",
    before="endpoints: {llama-70b: {objectives: {throughput_per_gpu: true, inter_token_latency_p99_ms: 50}}}",
    after="endpoints: {llama-70b: {objectives: {inter_token_latency_p99_ms: 50}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.objectives.throughput_per_gpu:
        yield Match(
            ("objectives", "throughput_per_gpu"),
            "throughput per GPU is an objective, which disaggregation does not improve",
        )
