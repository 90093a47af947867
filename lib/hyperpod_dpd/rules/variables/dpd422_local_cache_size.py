from hyperpod_dpd.iec.arguments import read_number
from hyperpod_dpd.iec.quantities import QuantityError, to_bytes
from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import literals
from hyperpod_dpd.sizing.gpu_memory import gib_to_bytes
from hyperpod_dpd.sizing.host_cache import pod_cache_bytes
from hyperpod_dpd.view.memory import in_gib

CPU = "LMCACHE_MAX_LOCAL_CPU_SIZE"
DISK = "LMCACHE_MAX_LOCAL_DISK_SIZE"


@rule(
    ("DPD422", "local-cache-size", ERROR, ENDPOINT),
    title="LMCache's local caches of all ranks exceed what the pod may use",
    what="""That LMCache's local caches, whose sizes are per worker process, fit the pod: all ranks' CPU
    caches into its memory limit (or the node's memory where the role has none), all ranks' disk caches onto
    the node's disks.""",
    why="""LMCACHE_MAX_LOCAL_CPU_SIZE and LMCACHE_MAX_LOCAL_DISK_SIZE count for each worker, one per GPU. A
    size meant for the pod, times eight, ends in a pod killed for memory or evicted for disk, after hours of
    service.""",
    fine="Never.",
    fix="divide the size by the number of ranks; it is in GiB per worker",
    sources="LMCache issues 1399, 1878 and 1970",
    covers=("B-34",),
    tags=("resources", "sizing"),
    before='spec: {worker: {environmentVariables: [{name: LMCACHE_MAX_LOCAL_CPU_SIZE, value: "640"}]}}',
    after='spec: {worker: {environmentVariables: [{name: LMCACHE_MAX_LOCAL_CPU_SIZE, value: "80"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    for variable, value in literals(endpoint, (CPU, DISK)):
        size = read_number(value.strip())
        if size is None or size <= 0:
            continue
        for role in endpoint.roles:
            ranks = role.tensor_parallel_size
            wanted = pod_cache_bytes(per_worker_bytes=gib_to_bytes(size), tensor_parallel_size=ranks)
            limit, whose = (_memory if variable.name == CPU else _disk)(endpoint, role)
            if limit is not None and wanted > limit:
                yield Match(
                    variable.value_path,
                    f"{variable.name} of {size:g} GiB on {ranks} ranks is {in_gib(wanted)}, "
                    f"{whose} of {role.role} is {in_gib(limit)}",
                    fix=f"set {variable.name} below {limit / 2**30 / ranks:.0f} GiB per rank",
                )
                break


def _memory(endpoint: EndpointView, role: RoleView) -> tuple[int | None, str]:
    for kind in ("limits", "requests"):
        value = role.resources.get(kind, {}).get("memory")
        if value is not None:
            try:
                return to_bytes(value), f"memory in {kind}"
            except QuantityError:
                return None, ""
    instance = endpoint.instance_type(role)
    return (gib_to_bytes(instance.memory_gib), "the node's memory") if instance else (None, "")


def _disk(endpoint: EndpointView, role: RoleView) -> tuple[int | None, str]:
    instance = endpoint.instance_type(role)
    if instance is None or not instance.nvme_disks or not instance.nvme_disk_gb:
        return None, ""
    return instance.nvme_disks * instance.nvme_disk_gb * 10**9, "local disk of a node"
