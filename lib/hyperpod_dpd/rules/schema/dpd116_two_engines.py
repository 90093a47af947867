from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD116", "two-engines", ERROR, DISAGGREGATED),
    title="Two ways of disaggregation on one endpoint",
    what="That an endpoint with pdSpec has no dynamoSpec.",
    why="""Each of them makes its own prefill and decode pods with its own connector. Together they ask for
    the GPUs twice, for two engines behind one name.""",
    fine="Never.",
    fix="keep pdSpec or dynamoSpec, not both",
    sources="SageMaker developer guide, managed NVIDIA Dynamo on HyperPod",
    covers=("R13",),
    tags=("schema",),
    before="spec: {dynamoSpec: {}}",
    after="spec: {pdSpec: {routingThreshold: 4096}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.spec.get("dynamoSpec") is not None:
        yield Match(
            ("spec", "dynamoSpec"),
            "dynamoSpec stands beside pdSpec; each makes its own prefill and decode pods",
        )
