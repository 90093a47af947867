from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule

FLAG = "--enforce-eager"


@rule(
    ("DPD515", "decode-eager", WARNING, DISAGGREGATED),
    title="The decoder runs without CUDA graphs",
    what="--enforce-eager on the decoder, also where it is shared by both roles.",
    why="""A decode step is short, and without CUDA graphs launching its kernels takes a large part of it:
    every token comes later, which is what disaggregation was bought against. AWS's benchmark is eager on
    prefill only.""",
    fine="While a fault of CUDA graphs is being looked for.",
    fix="give --enforce-eager to prefill only",
    sources="AWS machine learning blog on DPD, benchmark settings",
    covers=("R107",),
    tags=("arguments", "performance"),
    before="spec: {pdSpec: {decodingSpec: {args: [--enforce-eager]}}}",
    after="spec: {pdSpec: {prefillSpec: {args: [--enforce-eager]}}}",
)
def check(endpoint: EndpointView) -> Matches:
    decode = endpoint.decode
    if decode is not None and decode.arguments.enabled(FLAG):
        shared = not decode.own_arguments.has(FLAG)
        yield Match(
            decode.where(FLAG),
            "the decoder runs eagerly"
            + (", because the flag stands in the shared arguments" if shared else ""),
            fix="move --enforce-eager to prefillSpec.args"
            if shared
            else "remove --enforce-eager from decodingSpec.args",
        )
