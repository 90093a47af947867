from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.buffer import BUFFER_SIZE
from hyperpod_dpd.view.memory import (
    UTILIZATION,
    RoleMemory,
    as_utilization,
    bytes_of_gib,
    in_gib,
    roles_by_setting,
)


@rule(
    ("DPD408", "memory-left-free", ERROR, DISAGGREGATED),
    title="vLLM's share and the PD buffer leave too little GPU memory",
    what="""That vLLM's share of a GPU and the PD buffer together leave memory free, on both roles: less than
    2 GiB is an error, less than 4 GiB a warning. Where --gpu-memory-utilization is absent vLLM's default is
    judged, as a warning.""",
    why="""The buffer is allocated after vLLM has measured its share, so it lies outside of it, and LMCache
    allocates it on the prefiller too. Without room the pod dies for memory at start, or LMCache is left out
    and nothing is transferred. AWS's advice to try a buffer of 32 GiB cannot work on an H100 beside a
    utilisation of 0.75.""",
    fine="""The margins are our estimate for CUDA graphs, NCCL and context; acknowledge the warning after a
    run under load.""",
    fix="lower --gpu-memory-utilization or PD_BUFFER_SIZE",
    sources="""vLLM 0.19.0, GPU worker, order of profiling and connector start | LMCache 0.4.3, PD backend,
    allocation on both roles | SageMaker developer guide, DPD troubleshooting page, larger buffers""",
    covers=("R68", "0.4"),
    tags=("gpu-memory", "sizing"),
    before='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "34359738368"}]}}',
    after='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8587837440"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    margins = engine_defaults.memory()
    error, warning = bytes_of_gib(margins.error_margin_gib), bytes_of_gib(margins.warning_margin_gib)
    for role, roles, memory in roles_by_setting(endpoint, UTILIZATION):
        if memory.free_bytes >= warning:
            continue
        severe = memory.free_bytes < error and memory.given
        yield Match(
            role.where(UTILIZATION), _message(roles, memory), ERROR if severe else WARNING, _fix(memory)
        )


def _message(roles: str, memory: RoleMemory) -> str:
    absent = "" if memory.given else ", vLLM's default as the flag is absent"
    doubt = "" if memory.instance.gpu_memory_confirmed else " (this type's memory is not confirmed)"
    left = (
        f"leave {in_gib(memory.free_bytes)} free"
        if memory.free_bytes >= 0
        else f"exceed it by {in_gib(-memory.free_bytes)}"
    )
    return (
        f"{roles} on {memory.instance.name}: of {in_gib(memory.gpu_bytes)}{doubt}, vLLM's share of "
        f"{in_gib(memory.share_bytes)} (utilisation {memory.utilization:g}{absent}) and the PD buffer of "
        f"{in_gib(memory.buffer_bytes)} {left}"
    )


def _fix(memory: RoleMemory) -> str:
    if memory.largest_hundredths < 1:
        return f"lower {BUFFER_SIZE}: it leaves vLLM nothing on this GPU"
    return (
        f"set {UTILIZATION} to {as_utilization(memory.calm_hundredths)} "
        f"({as_utilization(memory.largest_hundredths)} is the largest safe value) or lower {BUFFER_SIZE}"
    )
