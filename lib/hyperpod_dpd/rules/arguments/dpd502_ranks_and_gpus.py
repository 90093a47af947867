from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule

_SIZES = (
    "--tensor-parallel-size",
    "--pipeline-parallel-size",
    "--data-parallel-size",
    "--prefill-context-parallel-size",
)


@rule(
    ("DPD502", "ranks-and-gpus", ERROR, DISAGGREGATED),
    title="The engine's ranks are not the GPUs of the pod",
    what="""For each role, tensor-parallel times pipeline-, data- and prefill context-parallel size against
    nvidia.com/gpu in the role's resources. More ranks than GPUs is an error, fewer a warning.""",
    why="""With more ranks than GPUs the engine does not start. With fewer, GPUs of a node that was bought
    whole stand idle, and the KV cache of a token is spread over fewer of them.""",
    fine="Fewer ranks than GPUs while a smaller model is tried out.",
    fix="make --tensor-parallel-size times --pipeline-parallel-size the pod's number of GPUs",
    sources="SageMaker developer guide, DPD page, example | vLLM 0.19.0, engine arguments",
    covers=("R91",),
    tags=("arguments", "resources"),
    before="spec: {worker: {args: {--tensor-parallel-size: 16}}}",
    after="spec: {worker: {args: {--tensor-parallel-size: 8}}}",
)
def check(endpoint: EndpointView) -> Matches:
    for role in endpoint.roles:
        gpus, ranks = role.gpus, _ranks(role)
        if gpus is None or ranks is None or gpus == ranks:
            continue
        few = ranks < gpus
        yield Match(
            role.where(_SIZES[0]),
            f"{role.role} runs {ranks} ranks on {gpus} GPUs"
            + (f", so {gpus - ranks} stand idle" if few else ""),
            WARNING if few else None,
            fix=f"set --tensor-parallel-size to {gpus}" if _is_plain(role) else None,
        )


def _ranks(role: RoleView) -> int | None:
    """None where a size is malformed, which is judged elsewhere."""
    ranks = 1
    for flag in _SIZES:
        if role.arguments.last(flag) is not None:
            size = role.arguments.integer(flag)
            if size is None or size < 1:
                return None
            ranks *= size
    return ranks


def _is_plain(role: RoleView) -> bool:
    return all(role.arguments.last(flag) is None for flag in _SIZES[1:])
