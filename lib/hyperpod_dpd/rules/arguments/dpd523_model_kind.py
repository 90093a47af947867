from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD523", "model-kind", WARNING, DISAGGREGATED),
    title="A kind of model whose disaggregation is not confirmed",
    what="""Whether the model takes images or sound, or keeps a recurrent state beside its KV cache (Mamba and
    other hybrids).""",
    why="""vLLM's table calls multimodal models not validated and asks hybrids for equal parallelism, for
    another connector than HyperPod's. That LMCache 0.4.3 carries a recurrent state, or the positions of
    images, is not confirmed. Encoder-decoders are refused by the sizing already.""",
    fine="With a test that compares answers of the direct and the disaggregated path at temperature 0.",
    fix="serve it colocated, or test that pages are found and answers agree, and acknowledge",
    sources="vLLM, compatibility table of the NixlConnector (another connector than HyperPod's)",
    covers=("R113",),
    tags=("model",),
    of="environment",
    before="endpoints: {llama-70b: {model: {catalogue: mistral-medium-3.5-128b}}}",
    after="endpoints: {llama-70b: {model: {catalogue: llama-3.3-70b-instruct}}}",
)
def check(endpoint: EndpointView) -> Matches:
    model = endpoint.model
    kinds = []
    if model.geometry.is_multimodal or (model.entry is not None and model.entry.multimodal):
        kinds.append("multimodal")
    if model.geometry.is_hybrid or (model.entry is not None and model.entry.attention == "hybrid"):
        kinds.append("hybrid, with a recurrent state")
    if kinds:
        yield Match(
            ("spec", "modelName"),
            f"{model.geometry.name or endpoint.get('modelName')} is {' and '.join(kinds)}; "
            "that DPD on HyperPod carries it is not confirmed",
        )
