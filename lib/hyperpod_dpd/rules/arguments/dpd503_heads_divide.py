from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.sizing.errors import SizingError, UnevenSplit
from hyperpod_dpd.sizing.kv_cache import bytes_per_token_per_rank

FLAG = "--tensor-parallel-size"


@rule(
    ("DPD503", "heads-divide", ERROR, DISAGGREGATED),
    title="The tensor-parallel size does not divide the model's heads",
    what="""That the tensor-parallel size of each role divides the attention heads, and that it and the number
    of KV heads divide one another.""",
    why="vLLM gives each rank whole heads and refuses to start otherwise.",
    fine="Never.",
    fix="""choose a tensor-parallel size that divides the attention heads, and the KV heads or a multiple of
    them""",
    sources="vLLM 0.19.0, sharding of attention heads",
    covers=("R92",),
    tags=("arguments", "model"),
    before="spec: {worker: {args: {--tensor-parallel-size: 6}}}",
    after="spec: {worker: {args: {--tensor-parallel-size: 8}}}",
)
def check(endpoint: EndpointView) -> Matches:
    judged: set[int] = set()
    for role in endpoint.roles:
        size = role.tensor_parallel_size
        if size <= 1 or size in judged:
            continue
        judged.add(size)
        try:
            bytes_per_token_per_rank(endpoint.model.geometry, tensor_parallel_size=size)
        except UnevenSplit as error:
            yield Match(role.where(FLAG), f"{role.role} runs at {size}: {str(error).partition(': ')[0]}")
        except SizingError:
            continue
