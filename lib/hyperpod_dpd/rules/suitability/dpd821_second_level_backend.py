from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule

REDIS, TIERED = "redis", "tieredstorage"
_PATH = ("spec", "kvCacheSpec", "l2CacheSpec")


@rule(
    ("DPD821", "second-level-backend", ERROR, ENDPOINT),
    title="The L2 cache backend cannot work as written",
    what="That the backend is exactly redis or tieredstorage, in any case, and that redis has its address.",
    why="""The CRD's pattern is not anchored, so any text that contains one of the two names is admitted and
    fails only at run time. Redis without an address has nowhere to store.""",
    fine="Never.",
    fix="set l2CacheBackend to redis, with l2CacheLocalUrl, or to tieredstorage",
    sources="""InferenceEndpointConfig CRD, operator 3.2, kvCacheSpec.l2CacheSpec | SageMaker developer guide,
    KV caching and intelligent routing""",
    covers=("R175",),
    tags=("cache",),
    before="spec: {kvCacheSpec: {enableL2Cache: true, l2CacheSpec: {l2CacheBackend: redis}}}",
    after="""spec: {kvCacheSpec: {enableL2Cache: true, l2CacheSpec: {l2CacheBackend: redis, l2CacheLocalUrl: "redis://cache.inference.svc:6379"}}}""",
)
def check(endpoint: EndpointView) -> Matches:
    backend = endpoint.get("kvCacheSpec", "l2CacheSpec", "l2CacheBackend")
    if not isinstance(backend, str):
        return
    lowered = backend.lower()
    if REDIS not in lowered and TIERED not in lowered:
        return  # the CRD's own pattern refuses it, which is another rule's finding
    if lowered not in (REDIS, TIERED):
        yield Match((*_PATH, "l2CacheBackend"), f"'{backend}' is neither {REDIS} nor {TIERED}")
    elif lowered == REDIS and not endpoint.get("kvCacheSpec", "l2CacheSpec", "l2CacheLocalUrl"):
        yield Match((*_PATH, "l2CacheLocalUrl"), "redis is the backend, but l2CacheLocalUrl names no server")
