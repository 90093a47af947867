from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD118", "idle-cache-settings", WARNING, ENDPOINT),
    title="Second-level cache settings without the cache",
    what="l2CacheSpec where enableL2Cache is false or absent.",
    why="""The switch is off by default, so the backend is named and not used: a reader takes the second level
    for working. Operators before 3.3 ignored the switch, and there the settings do count.""",
    fine="While the cache is switched off for a test.",
    fix="remove l2CacheSpec, or set enableL2Cache: true",
    sources="""InferenceEndpointConfig CRD, operator 3.2, kvCacheSpec | observed in a public manifest
    generator""",
    covers=("E-97",),
    tags=("cache",),
    before="spec: {kvCacheSpec: {enableL2Cache: false, l2CacheSpec: {l2CacheBackend: redis}}}",
    after="spec: {kvCacheSpec: {enableL2Cache: false}}",
)
def check(endpoint: EndpointView) -> Matches:
    cache = endpoint.spec.get("kvCacheSpec")
    if not isinstance(cache, dict) or not cache.get("l2CacheSpec") or cache.get("enableL2Cache") is True:
        return
    state = "is false" if cache.get("enableL2Cache") is False else "is absent, which means false"
    yield Match(("spec", "kvCacheSpec", "l2CacheSpec"), f"l2CacheSpec has no effect: enableL2Cache {state}")
