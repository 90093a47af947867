from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD802", "mixture-of-experts", WARNING, DISAGGREGATED),
    title="The model is a mixture of experts",
    what="Whether the model routes tokens over experts.",
    why="""AWS says such models typically gain nothing; llm-d recommends disaggregating them, but together
    with wide expert parallelism, which HyperPod's DPD does not offer. Without it the precondition of the
    recommendation is missing.""",
    fine="Where your own measurement, per GPU, shows a gain.",
    fix="""serve it colocated, or self-managed with expert parallelism over several nodes, or bring a
    measurement""",
    sources="""SageMaker developer guide, DPD page, when it pays and known limits | llm-d, guide to P/D
    disaggregation, where it names sparse models with wide expert parallelism""",
    covers=("R171", "F-03", "S7.8-6", "S8.2-5"),
    tags=("suitability", "divergence"),
    before="""spec: {modelName: Qwen3-235B-A22B}
    metadata: {annotations: {dpd.check/model: qwen3-235b-a22b}}""",
    after="spec: {modelName: Llama-3.3-70B-Instruct}",
)
def check(endpoint: EndpointView) -> Matches:
    model = endpoint.model
    if model.mixture_of_experts:
        name = model.entry.name if model.entry else model.geometry.name or "this model"
        yield Match(
            ("spec", "modelName"),
            f"{name} is a mixture of experts; AWS says those typically gain nothing from DPD, which has no expert "
            "parallelism",
        )
