from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule

FLAG = "--enable-prefix-caching"


@rule(
    ("DPD521", "prefill-prefix-caching", WARNING, DISAGGREGATED),
    title="The prefiller reuses no prefixes",
    what="--no-enable-prefix-caching on prefill, also where it is shared. The decoder is not judged.",
    why="""The prefiller is where shared prefixes are found again; without them each prompt is computed in
    full, and prefixaware and kvaware routing have nothing to find.""",
    fine="""On the decoder, where it is a remedy for pages that LMCache 0.4.3 leaks; and with prompts that
    share nothing.""",
    fix="remove --no-enable-prefix-caching from the prefiller's arguments",
    sources="""vLLM 0.19.0, cache configuration | SageMaker developer guide, DPD page, prefix caching on the
    prefiller""",
    covers=("R111",),
    tags=("arguments", "performance"),
    before="spec: {pdSpec: {prefillSpec: {args: [--no-enable-prefix-caching]}}}",
    after="spec: {pdSpec: {decodingSpec: {args: [--no-enable-prefix-caching]}}}",
)
def check(endpoint: EndpointView) -> Matches:
    prefill = endpoint.prefill
    if prefill is not None and prefill.arguments.enabled(FLAG) is False:
        shared = prefill.own_arguments.last(FLAG) is None
        yield Match(
            prefill.where(FLAG),
            "prefix caching is off on prefill" + (" by the shared arguments" if shared else ""),
            fix="move --no-enable-prefix-caching to decodingSpec.args, or remove it" if shared else None,
        )
