from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.buffer import buffer_of

FLAG = "--max-num-batched-tokens"


@rule(
    ("DPD423", "sender-staging", ERROR, DISAGGREGATED),
    title="One step of the prefiller does not fit into its PD buffer",
    what="""That the PD buffer has pages for one scheduler step of the prefiller: --max-num-batched-tokens, an
    error where given, a warning where vLLM's default counts.""",
    why="""The prefiller stages every step in its own PD buffer before sending. When pages run out it stores
    only a part, logs that local CPU memory is under pressure, and the decoder computes the rest again.""",
    fine="Where vLLM's default counts and steps that full do not occur.",
    fix="raise PD_BUFFER_SIZE or lower --max-num-batched-tokens of the prefiller",
    sources="LMCache 0.4.3, cache engine, store of a step",
    covers=("R112",),
    tags=("kv-transfer", "sizing", "silent"),
    before="spec: {pdSpec: {prefillSpec: {args: {--max-num-batched-tokens: 262144}}}}",
    after="spec: {pdSpec: {prefillSpec: {args: {--max-num-batched-tokens: 16384}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    prefill = endpoint.prefill
    buffer = buffer_of(endpoint)
    if prefill is None or buffer is None:
        return
    page = endpoint.model.page_bytes(prefill)
    written = prefill.arguments.integer(FLAG)
    tokens = written or engine_defaults.vllm().max_num_batched_tokens
    if page is None:
        return
    cut = buffer.cut(page)
    if cut.pages == 0 or cut.can_hold(tokens):
        return
    absent = "" if written else " (vLLM's default)"
    yield Match(
        prefill.where(FLAG),
        f"a step of {tokens:,} tokens{absent} needs more than the {cut.pages:,} pages of the prefiller's buffer, "
        f"which hold {cut.capacity_tokens:,} tokens",
        None if written else WARNING,
        f"set {FLAG} of the prefiller to {cut.capacity_tokens} or less, or raise PD_BUFFER_SIZE",
    )
