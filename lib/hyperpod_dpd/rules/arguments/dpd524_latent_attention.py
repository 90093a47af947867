from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.sizing.layer_groups import LATENT


@rule(
    ("DPD524", "latent-attention", WARNING, DISAGGREGATED),
    title="A model with latent attention",
    what="Whether the model has multi-head latent attention, as DeepSeek's do.",
    why="""The latent is whole on every rank, and LMCache stores it from the first rank only. These models are
    mixtures of experts too, and AWS validated neither with DPD.""",
    fine="With a transfer test on your image.",
    fix="size the buffer for a page that every rank keeps whole, test the transfer, and acknowledge",
    sources="LMCache 0.4.3, treatment of MLA | SageMaker developer guide, DPD page, range of models",
    covers=("R114",),
    tags=("model",),
    of="environment",
    before="endpoints: {llama-70b: {model: {catalogue: deepseek-v3}}}",
    after="endpoints: {llama-70b: {model: {catalogue: llama-3.3-70b-instruct}}}",
)
def check(endpoint: EndpointView) -> Matches:
    model = endpoint.model
    if any(group.kind == LATENT for group in model.geometry.groups):
        yield Match(
            ("spec", "modelName"),
            f"{model.geometry.name or endpoint.get('modelName')} has latent attention, outside what AWS validated",
        )
