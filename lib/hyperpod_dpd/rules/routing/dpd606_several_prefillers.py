from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.context import MissingFact
from hyperpod_dpd.view.engine import most_prefillers


@rule(
    ("DPD606", "several-prefillers", WARNING, DISAGGREGATED),
    title="Several prefillers behind prefixaware routing, without shared prefixes",
    what="""The strategy of an endpoint with more than one prefiller, now or after scaling, against whether
    prompts share prefixes.""",
    why="""prefixaware sends prompts with a common beginning to one prefiller. Where prompts share nothing but
    a short system prompt, one prefiller gets the load of all. AWS's pages advise roundrobin for an even load
    and kvaware or session for locality; they serve different ends.""",
    fine="Where prompts share long prefixes: declare traffic.shared_prefixes.",
    fix="choose roundrobin for an even load, or session or kvaware to keep caches together",
    sources="""SageMaker developer guide, DPD page, tuning table and known limits | AWS machine learning blog
    on DPD, routing advice | SageMaker developer guide, DPD troubleshooting page""",
    covers=("R124",),
    tags=("routing", "performance"),
    of="environment",
    before="""endpoints:
      llama-70b:
        prefill: {replicas: 3}
        routing: {strategy: prefixaware}
        traffic: {shared_prefixes: false}""",
    after="""endpoints:
      llama-70b:
        prefill: {replicas: 3}
        routing: {strategy: roundrobin}
        traffic: {shared_prefixes: false}""",
)
def check(endpoint: EndpointView) -> Matches:
    count = most_prefillers(endpoint)
    if count < 2 or endpoint.routing_strategy != "prefixaware":
        return
    shared = endpoint.traffic.shared_prefixes
    if shared is None:
        raise MissingFact("sharing of prefixes")
    if not shared:
        yield Match(
            ("spec", "intelligentRoutingSpec", "routingStrategy"),
            f"prefixaware spreads over {count} prefillers by prefix, and the prompts share none",
        )
