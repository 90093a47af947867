from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.memory import UTILIZATION, in_gib, model_memory, roles_by_setting


@rule(
    ("DPD409", "weights-fit", ERROR, DISAGGREGATED),
    title="The weights do not fit into vLLM's share of the GPUs",
    what="""That one rank's part of the weights is smaller than vLLM's share of a GPU: an error where the
    weights alone exceed it, a warning where they do so only together with the estimated memory of a forward
    pass.""",
    why="""Weights that do not fit end in an out-of-memory error minutes after the pod was scheduled, on every
    restart again. Llama 3.1 405B in bfloat16 needs more than eight H100 have; in FP8 it fits.""",
    fine="""Never for the error. The warning rests on measured constants of another project, not confirmed on
    HyperPod.""",
    fix="use FP8 weights, a type with larger GPUs, or more ranks",
    sources="""the model's published config: parameters and dtype | llm-d planner, measured constants for the
    memory of a forward pass""",
    covers=("F-02",),
    tags=("gpu-memory", "sizing"),
    before="metadata: {annotations: {dpd.check/model: llama-3.1-405b-instruct}}",
    after="metadata: {annotations: {dpd.check/model: llama-3.1-405b-instruct-fp8}}",
)
def check(endpoint: EndpointView) -> Matches:
    for role, roles, memory in roles_by_setting(endpoint, UTILIZATION):
        model = model_memory(endpoint, role)
        if model is None:
            continue
        alone = model.weight_bytes >= memory.share_bytes
        if not alone and model.weight_bytes + model.work_bytes < memory.share_bytes:
            continue
        work = "" if alone else f" and an estimated {in_gib(model.work_bytes)} for a forward pass"
        yield Match(
            role.where(UTILIZATION),
            f"{roles} on {memory.instance.name}: each of {role.tensor_parallel_size} ranks holds "
            f"{in_gib(model.weight_bytes)} of weights{work}, vLLM's share of a GPU is "
            f"{in_gib(memory.share_bytes)}",
            None if alone else WARNING,
            _fix(endpoint, role),
        )


def _fix(endpoint: EndpointView, role: RoleView) -> str:
    advice = "use a type with larger GPUs, or more ranks"
    dtype = endpoint.model.weight_dtype or ""
    quantised = "8" in dtype or "4" in dtype or role.arguments.get("--quantization") is not None
    return advice if quantised else f"use FP8 weights, which take half, {advice.removeprefix('use ')}"
