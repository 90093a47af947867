from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD801", "small-model", WARNING, DISAGGREGATED),
    title="The model is smaller than those that gain from disaggregation",
    what="""That a dense model on a disaggregated endpoint has at least the parameters from which AWS
    recommends DPD. Mixtures of experts have a rule of their own.""",
    why="""A small model prefills fast, so there is little interference to remove, while moving the KV cache
    costs the same: twice the GPUs for no gain.""",
    fine="""Where a measurement of your own traffic shows steadier inter-token latency; acknowledge it with
    that report.""",
    fix="serve this model from a colocated endpoint, or measure both before you keep two pools",
    sources="SageMaker developer guide, DPD page, when it pays and known limits",
    covers=("R170", "F-12"),
    tags=("suitability",),
    before="""spec: {modelName: Llama-3.1-8B-Instruct}
    metadata: {annotations: {dpd.check/model: llama-3.1-8b-instruct}}""",
    after="spec: {modelName: Llama-3.3-70B-Instruct}",
)
def check(endpoint: EndpointView) -> Matches:
    model = endpoint.model
    if model.mixture_of_experts:
        return
    wanted = engine_defaults.suitability().parameters_billion
    size = model.parameters_billion
    if size < wanted:
        yield Match(
            ("spec", "modelName"),
            f"the model has {size:.3g} billion parameters; AWS recommends DPD for dense models of {wanted:g} billion "
            "and more, smaller ones typically gain nothing",
        )
