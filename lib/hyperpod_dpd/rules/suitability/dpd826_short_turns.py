from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule


@rule(
    ("DPD826", "short-turns", INFO, DISAGGREGATED),
    title="Short turns never warm the prefillers' cache",
    what="Whether the declared traffic is a conversation of mostly short turns.",
    why="""Requests below the threshold bypass the prefillers, which alone hold the prefix cache, and the
    decoder saves nothing: the first turn above the threshold computes the whole history. This is inferred,
    not documented by AWS.""",
    fine="Where each turn carries its whole context, which multi-full-context declares.",
    fix="""watch the share of disaggregated requests, and send whole contexts if turns should profit from the
    cache""",
    sources="""inferred from LMCache's restrictions while PD is enabled and from the router's bypass of short
    requests""",
    covers=("R179", "S12.6"),
    tags=("suitability", "traffic"),
    of="environment",
    before="endpoints: {llama-70b: {traffic: {turns: multi-short}}}",
    after="endpoints: {llama-70b: {traffic: {turns: multi-full-context}}}",
)
def check(endpoint: EndpointView) -> Matches:
    if endpoint.traffic.turns == "multi-short":
        yield Match(
            ("traffic", "turns"),
            "turns are mostly short: those below the threshold never reach the prefillers, so no history is cached "
            "(inferred, not confirmed)",
        )
