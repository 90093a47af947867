from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule


@rule(
    ("DPD820", "second-level-cache", ERROR, DISAGGREGATED),
    title="A second cache level together with disaggregation",
    what="That the L2 cache is off on a disaggregated endpoint.",
    why="""LMCache documents that with PD enabled no remote store may be configured. Release 0.4.3 does not
    enforce it, so nothing stops at start-up; what then happens to pages is not documented, and AWS does not
    say that L2 works with DPD.""",
    fine="With an image whose LMCache release lifts the restriction and a test of your own, acknowledged.",
    fix="leave kvCacheSpec.enableL2Cache out",
    sources="""LMCache documentation, restrictions while PD is enabled | SageMaker developer guide, DPD page,
    KV caching""",
    covers=("R174", "B-28", "N-kv-l2"),
    tags=("kv-transfer", "divergence"),
    waivable=True,
    before="spec: {kvCacheSpec: {enableL2Cache: true, l2CacheSpec: {l2CacheBackend: tieredstorage}}}",
    after="spec: {kvCacheSpec: {enableL1Cache: true}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.get("kvCacheSpec", "enableL2Cache") is not True:
        return
    known = endpoint.image.version("lmcache")
    release = f"LMCache {known.version}" if known else "an LMCache release that is not known here"
    yield Match(
        ("spec", "kvCacheSpec", "enableL2Cache"),
        f"L2 cache is on; LMCache 0.4.3 documents that PD allows no remote store, and this image holds {release}",
    )
