from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.sizing.pd_buffer import smallest_buffer_bytes
from hyperpod_dpd.view.buffer import BUFFER_SIZE, buffer_of, longest_tokens


@rule(
    ("DPD402", "buffer-holds-longest-prompt", ERROR, DISAGGREGATED),
    title="The PD buffer is smaller than the longest prompt",
    what="""That the PD buffer of one rank has at least as many pages as the longest prompt the engine
    accepts.""",
    why="""The decoder's allocation loop has one thread and no timeout. A prompt that needs more pages than
    the buffer has can never be received: it waits for ever, and every disaggregated request of every
    prefiller waits behind it.""",
    fine="""Never; lower --max-model-len if memory allows no larger buffer. A buffer below one page is another
    rule's. Where the model's config leaves the size of a page open, the largest possible page is judged, and
    it is an error only if even the smallest is too large.""",
    fix="raise PD_BUFFER_SIZE or lower --max-model-len",
    sources="LMCache 0.4.3, PD backend, allocation loop | LMCache issue 4209",
    covers=("R65", "B-02", "B-03"),
    tags=("kv-transfer", "sizing"),
    before='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "536870912"}]}}',
    after='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8587837440"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    buffer = buffer_of(endpoint)
    if buffer is None:
        return
    model = endpoint.model
    for role in endpoint.roles:
        per_token, tokens = model.kv(role), longest_tokens(endpoint, _length(role))
        if per_token is None or tokens is None:
            continue
        cut = buffer.cut((per_token.most or per_token.bytes) * buffer.chunk_tokens)
        if buffer.bytes < per_token.bytes * buffer.chunk_tokens or cut.can_hold(tokens):
            continue
        least = per_token.bytes if per_token.exact else per_token.least
        certain = least is not None and not buffer.cut(least * buffer.chunk_tokens).can_hold(tokens)
        need = smallest_buffer_bytes(
            page_bytes=cut.page_bytes, chunk_tokens=buffer.chunk_tokens, max_prompt_tokens=tokens
        )
        doubt = (
            "" if per_token.exact else f" (the largest this model's may be; its config is {per_token.bound})"
        )
        yield Match(
            endpoint.where_variable(BUFFER_SIZE),
            f"{buffer.bytes:,} bytes hold {cut.pages:,} pages of {cut.page_bytes:,} bytes{doubt}, so "
            f"prompts up to {cut.capacity_tokens:,} tokens; {role.role} accepts {tokens:,} tokens",
            None if certain else WARNING,
            f"set PD_BUFFER_SIZE to {need} or more, or --max-model-len to {cut.capacity_tokens} or less",
        )
        return


def _length(role: RoleView) -> int | None:
    return role.arguments.integer("--max-model-len")
