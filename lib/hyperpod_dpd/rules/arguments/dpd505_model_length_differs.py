from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule

FLAG = "--max-model-len"


@rule(
    ("DPD505", "model-length-differs", ERROR, DISAGGREGATED),
    title="The roles accept prompts of different lengths",
    what="""--max-model-len of both roles after the merge. A shorter prefiller is an error, a shorter decoder
    a warning.""",
    why="""A prompt that the decoder would take and the prefiller refuses fails as soon as it is long enough
    to disaggregate. A shorter decoder refuses what the prefiller has already computed, and its pages stay in
    the buffer.""",
    fine="A shorter decoder, where clients keep below its limit anyway.",
    fix="set --max-model-len once, in the arguments that both roles share",
    sources="vLLM 0.19.0, check of a request's length",
    covers=("R93",),
    tags=("arguments",),
    before='spec: {pdSpec: {prefillSpec: {args: [--max-model-len, "8192"]}}}',
    after='spec: {pdSpec: {prefillSpec: {args: [--max-model-len, "16384"]}}}',
)
def check(endpoint: EndpointView) -> Matches:
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None:
        return
    if not (prefill.own_arguments.last(FLAG) or decode.own_arguments.last(FLAG)):
        return
    first, second = prefill.arguments.integer(FLAG), decode.arguments.integer(FLAG)
    if first == second:
        return
    shorter = prefill if second is None or (first is not None and first < second) else decode
    own = shorter if shorter.own_arguments.last(FLAG) else prefill if shorter is decode else decode
    yield Match(
        own.where(FLAG),
        f"prefill accepts {_tokens(first)}, decode {_tokens(second)}",
        None if shorter is prefill else WARNING,
    )


def _tokens(length: int | None) -> str:
    return "what the model allows" if length is None else f"{length:,} tokens"
