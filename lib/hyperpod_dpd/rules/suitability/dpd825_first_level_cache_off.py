from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule


@rule(
    ("DPD825", "first-level-cache-off", WARNING, DISAGGREGATED),
    title="The prefillers keep no KV cache",
    what="That the L1 cache is on where prefill is disaggregated.",
    why="""Repeated prefixes are served from the prefiller's L1 cache and from nowhere else: the decoder
    stores nothing. Without it every turn of a conversation is computed from its first token.""",
    fine="Where prompts share nothing and host memory is short.",
    fix="set kvCacheSpec.enableL1Cache to true",
    sources="SageMaker developer guide, DPD page, KV caching",
    covers=("R178",),
    tags=("cache",),
    before="spec: {kvCacheSpec: {enableL1Cache: false}}",
    after="spec: {kvCacheSpec: {enableL1Cache: true}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.get("kvCacheSpec", "enableL1Cache") is False:
        yield Match(
            ("spec", "kvCacheSpec", "enableL1Cache"),
            "the L1 cache is off, so the prefillers compute every repeated prefix again",
        )
