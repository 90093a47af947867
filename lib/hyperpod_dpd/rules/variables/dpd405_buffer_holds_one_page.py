from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.buffer import BUFFER_SIZE, buffer_of


@rule(
    ("DPD405", "buffer-holds-one-page", ERROR, DISAGGREGATED),
    title="The PD buffer is smaller than one page",
    what="That the PD buffer is at least one page large: the KV cache of one chunk of tokens on one rank.",
    why="""LMCache cannot build its allocator from less than one page. It logs that, carries on in degraded
    mode, and the pod becomes ready without a cache; with LMCache 0.4.3 the next request then meets an assertion
    that ends the engine (recorded with another failed start).""",
    fine="Never.",
    fix="raise PD_BUFFER_SIZE; it is a number of bytes, not of GiB or pages",
    sources="LMCache 0.4.3, PD backend and manager",
    covers=("R64",),
    tags=("kv-transfer", "sizing", "silent"),
    before='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8192"}]}}',
    after='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8589934592"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    buffer = buffer_of(endpoint)
    if buffer is None or not buffer.given:
        return
    for role in endpoint.roles:
        page = endpoint.model.page_bytes(role)
        if page is not None and buffer.bytes < page:
            yield Match(
                endpoint.where_variable(BUFFER_SIZE),
                f"{buffer.bytes:,} bytes are less than one page of {page:,} bytes on a rank of {role.role}",
                fix=f'set {BUFFER_SIZE} to "{engine_defaults.documented().pd_buffer_bytes}" bytes, '
                "the documented default",
            )
            return
