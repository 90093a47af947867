from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD609", "routing-disabled", WARNING, DISAGGREGATED),
    title="Intelligent routing is off on a disaggregated endpoint",
    what="That intelligentRoutingSpec.enabled is true; it is false by default.",
    why="""pdSpec makes a router in any case, but the router and KV cache dashboards need the switch, and the
    field cannot be added to an existing endpoint: it takes a new one.""",
    fine="Where nobody looks at those dashboards.",
    fix="set intelligentRoutingSpec.enabled: true before the endpoint is created",
    sources="""SageMaker developer guide, DPD page, example | SageMaker developer guide, inference
    observability, troubleshooting""",
    covers=("R128",),
    tags=("routing", "observability"),
    before="spec: {intelligentRoutingSpec: {enabled: false}}",
    after="spec: {intelligentRoutingSpec: {enabled: true}}",
)
def check(endpoint: EndpointView) -> Matches:
    enabled = endpoint.get("intelligentRoutingSpec", "enabled")
    if enabled is not True:
        state = "false" if enabled is False else "absent, which means false"
        yield Match(
            ("spec", "intelligentRoutingSpec", "enabled"), f"intelligentRoutingSpec.enabled is {state}"
        )
