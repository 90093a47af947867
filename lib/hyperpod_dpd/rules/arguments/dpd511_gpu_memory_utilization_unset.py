from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule

FLAG = "--gpu-memory-utilization"


@rule(
    ("DPD511", "gpu-memory-utilization-unset", WARNING, DISAGGREGATED),
    title="--gpu-memory-utilization is left to vLLM",
    what="That each role's share of GPU memory is set.",
    why="""vLLM's default share leaves no room for the PD buffer, which LMCache allocates outside it on both
    roles: with 8 GiB an H100 is full before the first request.""",
    fine="On GPUs with memory to spare; DPD's memory rule computes it.",
    fix="set --gpu-memory-utilization so that the PD buffer fits beside it",
    sources="vLLM 0.19.0, engine arguments | SageMaker developer guide, DPD page, example and tuning table",
    covers=("R98",),
    tags=("arguments", "sizing"),
    before="spec: {worker: {args: {--gpu-memory-utilization: null}}}",
    after="spec: {worker: {args: {--gpu-memory-utilization: 0.75}}}",
)
def check(endpoint: EndpointView) -> Matches:
    without = [role for role in endpoint.roles if role.arguments.last(FLAG) is None]
    if not without:
        return
    path = ("spec", "worker", "args") if len(without) == len(endpoint.roles) else (*without[0].path, "args")
    default, documented = engine_defaults.vllm(), engine_defaults.documented()
    yield Match(
        path,
        f"{FLAG} is unset on {' and '.join(role.role for role in without)}, so vLLM's "
        f"{default.gpu_memory_utilization} holds; AWS's example has {documented.gpu_memory_utilization}",
        fix=f"set {FLAG} to {documented.gpu_memory_utilization} in worker.args",
    )
