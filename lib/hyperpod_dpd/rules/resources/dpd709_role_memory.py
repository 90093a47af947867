from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.iec.arguments import read_number
from hyperpod_dpd.iec.quantities import QuantityError, to_bytes
from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.sizing.gpu_memory import gib_to_bytes
from hyperpod_dpd.sizing.host_cache import pod_cache_bytes
from hyperpod_dpd.view.context import MissingFact
from hyperpod_dpd.view.memory import bytes_of_gib, in_gib

_CACHE = "LMCACHE_MAX_LOCAL_CPU_SIZE"


@rule(
    ("DPD709", "role-memory", WARNING, DISAGGREGATED),
    title="A role's memory is too small for what its pod keeps there",
    what="""That a role's memory covers what its pod is known to keep there: the engine's own processes,
    weights that are prefetched into memory, and LMCache's CPU cache where its size is set.""",
    why="""A pod above its memory limit is killed, and its request is all it is sure to get. Prefetching
    stages the whole model in memory: more than a hundred GiB for 70 billion parameters in bfloat16.""",
    fine="""The need of the processes is our estimate. How large a cache the operator gives L1 is not
    published and not in the sum.""",
    fix="raise the role's memory, in requests and limits",
    sources="""SageMaker developer guide, DPD page, memory of the example | SageMaker developer guide,
    prefetching of models | our own estimate of the processes' need""",
    covers=("R147",),
    tags=("resources", "sizing"),
    before="spec: {pdSpec: {prefillSpec: {resources: {requests: {memory: 32Gi}}}}}",
    after="spec: {pdSpec: {prefillSpec: {resources: {requests: {memory: 1024Gi}}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    prefetched = endpoint.get("modelSourceConfig", "prefetchEnabled") is True
    base = bytes_of_gib(engine_defaults.memory().host_base_gib)
    for role in endpoint.roles:
        asked = _memory(role)
        if asked is None:
            continue
        parts = [f"{in_gib(base)} for processes"]
        cache = _cache(endpoint, role)
        weights = _weights(endpoint, role) if prefetched else 0
        if cache:
            parts.append(f"{in_gib(cache)} of LMCache's CPU cache")
        if weights:
            parts.append(f"{in_gib(weights)} of prefetched weights")
        need = base + cache + weights
        if asked < need:
            yield Match(
                (*role.path, "resources"),
                f"{role.role} asks for {in_gib(asked)} of memory and keeps {', '.join(parts)}",
                fix=f"set the role's memory to {-(-need // 2**30)}Gi or more",
            )


def _weights(endpoint: EndpointView, role: RoleView) -> int:
    size = endpoint.model.weight_bytes(role)
    if size is None:
        raise MissingFact("size of the weights")
    return size


def _memory(role: RoleView) -> int | None:
    for kind in ("requests", "limits"):
        value = role.resources.get(kind, {}).get("memory")
        if value is not None:
            try:
                return to_bytes(value)
            except QuantityError:
                return None
    return None


def _cache(endpoint: EndpointView, role: RoleView) -> int:
    size = read_number(endpoint.environment.value(_CACHE) or "")
    if size is None or size <= 0:
        return 0
    return pod_cache_bytes(
        per_worker_bytes=gib_to_bytes(size), tensor_parallel_size=role.tensor_parallel_size
    )
