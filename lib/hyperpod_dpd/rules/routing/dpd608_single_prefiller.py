from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.engine import most_prefillers


@rule(
    ("DPD608", "single-prefiller", INFO, DISAGGREGATED),
    title="A routing strategy with one prefiller to choose from",
    what="A strategy other than the default where prefill has one replica and does not scale.",
    why="""The strategy chooses among prefillers. With one there is no choice, while kvaware and session bring
    conditions of their own.""",
    fine="In preparation of more prefillers: routing of an existing endpoint cannot be changed later.",
    fix="leave the strategy at prefixaware until there are several prefillers",
    sources="SageMaker developer guide, DPD page, tuning table",
    covers=("R126",),
    tags=("routing",),
    before="spec: {intelligentRoutingSpec: {routingStrategy: roundrobin}}",
    after="spec: {intelligentRoutingSpec: {routingStrategy: prefixaware}}",
)
def check(endpoint: EndpointView) -> Matches:
    strategy = endpoint.routing_strategy
    if strategy != engine_defaults.documented().routing_strategy and most_prefillers(endpoint) == 1:
        yield Match(
            ("spec", "intelligentRoutingSpec", "routingStrategy"),
            f"{strategy} has no effect: there is one prefiller",
        )
