from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD603", "kvaware-operator", ERROR, ENDPOINT),
    title="kvaware routing with an operator that is too old",
    what="The operator's release against the first one whose router knows kvaware.",
    why="An older router does not know the strategy; requests are spread without regard to the caches.",
    fine="With a test that shows requests with a common prefix on one prefiller, acknowledged.",
    fix="upgrade the operator, or choose another strategy",
    sources="SageMaker developer guide, KV caching and intelligent routing, table of versions",
    covers=("R121",),
    tags=("routing", "operator"),
    waivable=True,
    of="environment",
    before="""operator: {release: "3.1"}
    endpoints: {llama-70b: {routing: {strategy: kvaware}, invocation_path: v1/completions}}""",
    after="""operator: {release: "3.4"}
    endpoints: {llama-70b: {routing: {strategy: kvaware}, invocation_path: v1/completions}}""",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.routing_strategy != "kvaware":
        return
    floor = operator_releases.kvaware_release()
    if endpoint.operator < floor:
        yield Match(
            ("spec", "intelligentRoutingSpec", "routingStrategy"),
            f"kvaware needs operator {floor} or later, and {endpoint.operator} is declared",
        )
