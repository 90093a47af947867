from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule

FLAG = "--tensor-parallel-size"


@rule(
    ("DPD501", "tensor-parallel-size", ERROR, DISAGGREGATED),
    title="The roles run at different tensor-parallel sizes",
    what="That --tensor-parallel-size is the same for both roles after the operator's merge of arguments.",
    why="""LMCache's key of a KV page holds the world size and the rank, and each sender rank addresses the
    receiver rank of its own number. With different sizes the pages have different shapes: the prefiller's
    engine ended at the first disaggregated prompt (recorded with a decoder of twice the size, over UCX; with
    LIBFABRIC the error may read differently).""",
    fine="""Never with the operator's LMCache path. vLLM's NixlConnector allows it under conditions; HyperPod
    does not use it.""",
    fix="set --tensor-parallel-size once, in the arguments that both roles share",
    sources="""LMCache 0.4.3, cache key and PD backend ports | LMCache issue 1142 |
    recorded: vLLM 0.19.0 with LMCache 0.4.3 over UCX""",
    covers=("R90", "B-10", "B-13"),
    tags=("kv-transfer", "silent"),
    before='spec: {pdSpec: {prefillSpec: {args: ["--tensor-parallel-size", "4"]}}}',
    after='spec: {pdSpec: {prefillSpec: {args: ["--tensor-parallel-size", "8"]}}}',
)
def check(endpoint: EndpointView) -> Matches:
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None:
        return
    first, second = prefill.tensor_parallel_size, decode.tensor_parallel_size
    if first != second:
        own = prefill if prefill.own_arguments.has(FLAG) else decode
        yield Match(own.where(FLAG), f"prefill runs at {first}, decode at {second}")
