from hyperpod_dpd.rules.rule import DISAGGREGATED, INFO, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.buffer import BUFFER_SIZE, buffer_of


@rule(
    ("DPD406", "buffer-in-whole-pages", INFO, DISAGGREGATED),
    title="The PD buffer is not a whole number of pages",
    what="That PD_BUFFER_SIZE is a whole number of pages, and how much of it is never used otherwise.",
    why="""LMCache allocates whole pages only. Current releases drop the rest with a line in the log, older
    ones refuse to start their PD mode. AWS's own 8 GiB is not a whole number of pages of a 70B model on eight
    ranks.""",
    fine="With the supported images: it costs less than one page per GPU.",
    fix="set PD_BUFFER_SIZE to a multiple of the page",
    sources="LMCache 0.4.3, PD backend, alignment of the buffer | LMCache pull request 2694 and issue 1990",
    covers=("R67", "0.3", "B-04", "B-05"),
    tags=("kv-transfer", "sizing"),
    before='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8589934592"}]}}',
    after='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8587837440"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    buffer = buffer_of(endpoint)
    decode = endpoint.decode
    if buffer is None or not buffer.given or decode is None:
        return
    per_token = endpoint.model.kv(decode)
    if per_token is None or not per_token.exact:
        return
    cut = buffer.cut(per_token.page_bytes(chunk_tokens=buffer.chunk_tokens))
    if cut.pages and not cut.is_aligned:
        yield Match(
            endpoint.where_variable(BUFFER_SIZE),
            f"{buffer.bytes:,} bytes are {cut.pages:,} pages of {cut.page_bytes:,} bytes; the remaining "
            f"{cut.lost_bytes:,} are not allocated",
            fix=f'set {BUFFER_SIZE} to "{cut.aligned_bytes}"',
        )
