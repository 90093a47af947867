from hyperpod_dpd.catalog import engine_defaults, models
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule


@rule(
    ("DPD719", "validated-setup", INFO, DISAGGREGATED),
    title="Not the instance type or model that AWS validated",
    what="Whether the instance type and the model are those that AWS validated performance with.",
    why="""Published figures hold for one type and one model. Other supported combinations work, with figures
    of their own.""",
    fine="Always: it is a note. Measure before you promise figures.",
    fix="measure with the benchmark chart before you promise figures",
    sources="SageMaker developer guide, DPD page, validated range",
    covers=("R159",),
    tags=("suitability",),
    before="spec: {instanceType: ml.p5en.48xlarge}",
    after="spec: {instanceType: ml.p5.48xlarge}",
)
def check(endpoint: EndpointView) -> Matches:
    validated = engine_defaults.validated()
    role = endpoint.decode
    if role is None:
        return
    instance = endpoint.instance_type(role)
    if instance is not None and instance.supports_dpd and instance.name != validated.instance_type:
        yield Match(
            ("spec", "instanceType"),
            f"decode runs on {instance.name}; published figures are for {validated.instance_type}",
        )
    model = endpoint.model_or_none
    if model is not None and model.entry is not None and model.entry.key != validated.model:
        known = models.get(validated.model)
        name = known.name if known else validated.model
        yield Match(
            ("spec", "modelName"), f"the model is {model.entry.name}; published figures are for {name}"
        )
