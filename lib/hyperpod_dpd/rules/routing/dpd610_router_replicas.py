from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule

_PATH = ("spec", "intelligentRoutingSpec", "autoScalingSpec")
_DEFAULT = "spec.intelligentRoutingSpec.autoScalingSpec.maxReplicaCount"


@rule(
    ("DPD610", "router-replicas", WARNING, ENDPOINT),
    title="Several routers that each remember for themselves",
    what="Autoscaling of the router above one replica with a strategy other than roundrobin.",
    why="""Prefix tree, cache index and session ring live in each router's memory. Several of them learn
    different things, so that requests which belong together go apart. That AWS's router shares them is not
    confirmed.""",
    fine="With roundrobin, which remembers nothing.",
    fix="remove intelligentRoutingSpec.autoScalingSpec, or set its maxReplicaCount to 1",
    sources="""inferred from production-stack, whose routers keep prefixes, caches and sessions in their own
    memory""",
    covers=("R129",),
    tags=("routing", "scaling"),
    before="spec: {intelligentRoutingSpec: {autoScalingSpec: {minReplicaCount: 1, maxReplicaCount: 3}}}",
    after="spec: {intelligentRoutingSpec: {autoScalingSpec: {minReplicaCount: 1, maxReplicaCount: 1}}}",
)
def check(endpoint: EndpointView) -> Matches:
    scaling = endpoint.get("intelligentRoutingSpec", "autoScalingSpec")
    if not isinstance(scaling, dict) or endpoint.routing_strategy == "roundrobin":
        return
    most = scaling.get("maxReplicaCount")
    default = engine_defaults.manifest_default(_DEFAULT)
    if most is None and default is not None:
        most = default.value
    if isinstance(most, int) and most > 1:
        yield Match(
            (*_PATH, "maxReplicaCount"),
            f"up to {most} routers with {endpoint.routing_strategy}, which each router remembers for itself; "
            "that AWS's routers share it is not confirmed",
        )
