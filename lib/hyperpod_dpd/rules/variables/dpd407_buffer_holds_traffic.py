from hyperpod_dpd.rules.facts import Percentiles, RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.sizing.pd_buffer import smallest_buffer_bytes
from hyperpod_dpd.view.buffer import BUFFER_SIZE, buffer_of
from hyperpod_dpd.view.context import MissingFact


@rule(
    ("DPD407", "buffer-holds-traffic", WARNING, DISAGGREGATED),
    title="The PD buffer has too few pages for the declared traffic",
    what="""That the PD buffer has pages for as many long prompts as the declared traffic can have in transfer
    at once: the declared concurrency, or what the prefillers take on at once where that is less. The declared
    P95 length counts.""",
    why="""When no page is free the decoder retries every few milliseconds and serves nobody else meanwhile
    ("Failed to allocate memory object, retrying..."). Transfers wait, prefillers hold their pages too, and
    time to first token climbs.""",
    fine="Where requests of that length never arrive together, or the decoder takes them up at once.",
    fix="raise PD_BUFFER_SIZE, or lower --max-num-seqs of the prefillers",
    sources="""SageMaker developer guide, DPD page, tuning of PD_BUFFER_SIZE | LMCache issues 1990, 1337 and
    2365""",
    covers=("R66", "B-01"),
    tags=("kv-transfer", "sizing"),
    of="environment",
    before="endpoints: {llama-70b: {traffic: {input_tokens: {p50: 6000, p95: 12000}, concurrency: 64}}}",
    after="endpoints: {llama-70b: {traffic: {input_tokens: {p50: 6000, p95: 12000}, concurrency: 16}}}",
)
def check(endpoint: EndpointView) -> Matches:
    buffer = buffer_of(endpoint)
    prefill = endpoint.prefill
    if buffer is None or prefill is None:
        return
    traffic = endpoint.traffic
    if traffic.input_tokens is None or traffic.concurrency is None:
        raise MissingFact("traffic")
    name, tokens = _long_prompt(traffic.input_tokens)
    longest = max(0, prefill.arguments.integer("--max-model-len") or 0)
    tokens = min(tokens, longest) if longest else tokens
    page = endpoint.model.page_bytes(prefill)
    if page is None:
        return
    cut = buffer.cut(page)
    wanted = _in_transfer(traffic.concurrency, prefill)
    if not cut.can_hold(tokens) or cut.in_flight_transfers(tokens) >= wanted:
        return
    need = smallest_buffer_bytes(
        page_bytes=page,
        chunk_tokens=buffer.chunk_tokens,
        max_prompt_tokens=longest or tokens,
        transfers=wanted,
        prompt_tokens=tokens,
    )
    yield Match(
        endpoint.where_variable(BUFFER_SIZE),
        f"{buffer.bytes:,} bytes hold {cut.in_flight_transfers(tokens)} transfers of {tokens:,} tokens "
        f"({name} of the traffic), {wanted} can be under way at once",
        fix=f'set {BUFFER_SIZE} to "{need}" if GPU memory allows, or lower --max-num-seqs of the prefillers',
    )


def _long_prompt(tokens: Percentiles) -> tuple[str, int]:
    """The declared percentile nearest to P95 from above, else the highest declared."""
    for name in ("p95", "p99", "p90"):
        value = getattr(tokens, name)
        if value is not None:
            return name.upper(), value
    return "P50", tokens.p50


def _in_transfer(concurrency: int, prefill: RoleView) -> int:
    """Requests that can hold pages at once: a prefiller works on no more than its --max-num-seqs."""
    limit = prefill.arguments.integer("--max-num-seqs")
    return min(concurrency, limit * max(1, prefill.replicas)) if limit else concurrency
