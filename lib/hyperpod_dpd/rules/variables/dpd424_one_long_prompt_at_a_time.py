from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.sizing.pd_buffer import smallest_buffer_bytes
from hyperpod_dpd.view.buffer import BUFFER_SIZE, buffer_of, longest_tokens


@rule(
    ("DPD424", "one-long-prompt-at-a-time", WARNING, DISAGGREGATED),
    title="The PD buffer holds one prompt of the longest length at a time",
    what="Whether the PD buffer holds more than one prompt of the longest length that the engine accepts.",
    why="""A prompt that takes most of the buffer makes every other transfer wait until the decoder has taken
    it up: one long request is felt by all.""",
    fine="Where prompts of that length are rare, or --max-model-len is only a ceiling.",
    fix="raise PD_BUFFER_SIZE or lower --max-model-len",
    sources="LMCache 0.4.3, PD backend, allocation loop | LMCache issue 4209",
    covers=("B-03",),
    tags=("kv-transfer", "sizing"),
    before="spec: {worker: {args: {--max-model-len: 131072}}}",
    after="spec: {worker: {args: {--max-model-len: 65536}}}",
)
def check(endpoint: EndpointView) -> Matches:
    buffer = buffer_of(endpoint)
    decode = endpoint.decode
    if buffer is None or decode is None:
        return
    page = endpoint.model.page_bytes(decode)
    tokens = longest_tokens(endpoint, decode.arguments.integer("--max-model-len"))
    if page is None or not tokens:
        return
    if buffer.cut(page).in_flight_transfers(tokens) == 1:
        need = smallest_buffer_bytes(
            page_bytes=page, chunk_tokens=buffer.chunk_tokens, max_prompt_tokens=tokens, transfers=2
        )
        yield Match(
            endpoint.where_variable(BUFFER_SIZE),
            f"{buffer.bytes:,} bytes hold one prompt of {tokens:,} tokens and not a second beside it",
            fix=f"set {BUFFER_SIZE} to {need} or more if GPU memory allows, or lower --max-model-len",
        )
