from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.traffic import effective_threshold_tokens, language_of, routing_threshold


@rule(
    ("DPD616", "threshold-and-language", WARNING, DISAGGREGATED),
    title="The routing threshold is far off for this language",
    what="""The documented default threshold with a declared language in which four characters are far more
    than one token.""",
    why="""The router does not tokenize: it divides characters by four. A Japanese prompt of 4,096 tokens
    counts as some 1,400, so that prompts of three times the length still go to the decoder, and none may
    disaggregate at all. Characters per token are estimates, not confirmed for your model.""",
    fine="Where the router's log shows estimates that you expected.",
    fix="""set routingThreshold to the length you mean, times the language's characters per token, divided by
    four""",
    sources="""production-stack pull request 890 and the router's log, characters divided by four |
    hyperpod-dpd, estimates of characters per token""",
    covers=("R104",),
    tags=("routing", "silent"),
    of="environment",
    before="endpoints: {llama-70b: {traffic: {language: ja}}}",
    after="endpoints: {llama-70b: {traffic: {language: ja}, routing: {threshold_tokens: 1434}}}",
)
def check(endpoint: EndpointView) -> Matches:
    threshold = routing_threshold(endpoint)
    if threshold != engine_defaults.documented().routing_threshold_tokens:
        return
    traffic = endpoint.traffic
    language = language_of(traffic)
    path = ("spec", "pdSpec", "routingThreshold")
    if language is None:
        yield Match(
            path,
            f"how many characters a token of '{traffic.language}' holds is not known here; the router counts four",
            INFO,
            fix="compare estimated_tokens in the router's log with the engine's count of tokens",
        )
    elif not language.default_threshold_fits:
        real = effective_threshold_tokens(threshold, language)
        same = round(
            threshold * language.characters_per_token / engine_defaults.router().characters_per_token
        )
        yield Match(
            path,
            f"an estimate of {threshold:,} is about {real:,} tokens of {language.names[0].capitalize()}, "
            f"at {language.characters_per_token} characters to a token (estimate, not confirmed)",
            fix=f"set routingThreshold to about {same}, then compare estimated_tokens in the router's log",
        )
