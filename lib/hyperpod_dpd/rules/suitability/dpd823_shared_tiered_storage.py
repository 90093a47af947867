from hyperpod_dpd.rules.rule import INPUTS, WARNING, EndpointsView, Match, Matches, rule

_PATH = ("spec", "kvCacheSpec", "l2CacheSpec", "l2CacheBackend")


@rule(
    ("DPD823", "shared-tiered-storage", WARNING, INPUTS),
    title="Tenants share the tiered KV store",
    what="Whether endpoints of different namespaces use tieredstorage as their L2 cache.",
    why="""The tiered store keeps KV pages of all deployments of a cluster, unencrypted and without isolation:
    pages hold what users wrote.""",
    fine="Where the namespaces belong to one tenant whose data may mix.",
    fix="keep tieredstorage to one tenant of the cluster, or give the others redis or no L2 cache",
    sources="SageMaker developer guide, deploying models on HyperPod, tiered storage",
    covers=("R176",),
    tags=("cache", "security"),
    of="two manifests",
    before="spec: {kvCacheSpec: {enableL2Cache: true, l2CacheSpec: {l2CacheBackend: tieredstorage}}}",
    after="spec: {kvCacheSpec: {enableL1Cache: true}}",
)
def check(together: EndpointsView) -> Matches:
    users = [
        (index, endpoint)
        for index, endpoint in enumerate(together.endpoints)
        if endpoint.get("kvCacheSpec", "enableL2Cache") is True
        and str(endpoint.get(*_PATH[1:])).lower() == "tieredstorage"
    ]
    namespaces = sorted({endpoint.namespace for _, endpoint in users})
    if len(namespaces) < 2:
        return
    for index, endpoint in users:
        others = ", ".join(n for n in namespaces if n != endpoint.namespace)
        yield Match(
            (index, *_PATH),
            f"endpoint {endpoint.name} of namespace {endpoint.namespace} shares the tiered store, which neither "
            f"encrypts nor separates, with namespace {others}",
        )
