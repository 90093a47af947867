from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.origin import ENVIRONMENT


@rule(
    ("DPD904", "network-metrics", WARNING, DISAGGREGATED),
    title="EFA counters are not collected",
    what="That the add-on's network category, which it leaves off unless told otherwise, is collected.",
    why="""EFA counters beside the bytes that KV transfers should move are the one proof that transfers use
    EFA. Without them a fallback to TCP is seen only as latency.""",
    fine="Where EFA is watched by an exporter of your own.",
    fix="set observability.network_metrics to true",
    sources="SageMaker developer guide, HyperPod observability add-on, levels of metric categories",
    covers=("R183",),
    tags=("observability", "efa"),
    of="environment",
    before="observability: {network_metrics: false}",
    after="observability: {network_metrics: true}",
)
def check(endpoint: EndpointView) -> Matches:
    observability = endpoint.observability
    if observability.enabled and not observability.network_metrics:
        yield Match(
            (*ENVIRONMENT, "observability", "network_metrics"),
            f"EFA counters are off, so whether endpoint {endpoint.name} transfers over EFA cannot be seen",
        )
