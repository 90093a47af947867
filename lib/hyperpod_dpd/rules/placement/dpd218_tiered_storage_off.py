from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD218", "tiered-storage-off", ERROR, ENDPOINT),
    title="The cache uses tiered storage, which the cluster does not have",
    what="""That an endpoint whose second cache level is tieredstorage runs on a cluster with tiered storage
    switched on.""",
    why="""Tiered storage is a service on the nodes that the cluster's own setting starts. Without it every
    lookup fails, and each costs a timeout before the prompt is computed anyway.""",
    fine="Never.",
    fix="set cluster.tiered_storage_percent, or use no second cache level",
    sources="""CloudFormation schema of AWS::SageMaker::Cluster, TieredStorageConfig | SageMaker developer
    guide, KV caching and intelligent routing""",
    covers=("R43",),
    tags=("cache",),
    of="environment",
    before="endpoints: {llama-70b: {topology: colocated, cache: {l2: {backend: tieredstorage}}}}",
    after="""cluster: {tiered_storage_percent: 20}
    endpoints: {llama-70b: {topology: colocated, cache: {l2: {backend: tieredstorage}}}}""",
)
def check(endpoint: EndpointView) -> Matches:
    cache = endpoint.get("kvCacheSpec")
    if not isinstance(cache, dict) or cache.get("enableL2Cache") is not True:
        return
    backend = endpoint.get("kvCacheSpec", "l2CacheSpec", "l2CacheBackend")
    if not isinstance(backend, str) or backend.lower() != "tieredstorage":
        return
    if endpoint.cluster.tiered_storage_percent is None:
        yield Match(
            ("spec", "kvCacheSpec", "l2CacheSpec", "l2CacheBackend"),
            "the second cache level is tieredstorage, and the cluster has no tiered storage",
        )
