from collections.abc import Mapping

from hyperpod_dpd.catalog import engine_defaults, instance_types
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, rule

_PATH = ("spec", "modelCacheConfig", "weightsCache", "hostPath")


@rule(
    ("DPD917", "model-cache-path", ERROR, ENDPOINT),
    title="The weights cache is on a path that the nodes do not have",
    what="""That the host path of the weights cache is absolute, and that where it lies on the nodes' NVMe
    disks the instance types have some. The path's length is judged with the manifest's other fields.""",
    why="""On a type without such disks the path lies on the root volume: the weights fill it, and the node is
    marked unhealthy. A relative path is refused when the pod is made.""",
    fine="Never.",
    fix="use an absolute path on a disk of the nodes, or switch the weights cache off",
    sources="""HyperPod inference release notes, 3.3, model and image caching | EC2 instance data: local NVMe
    disks of a type""",
    covers=("R193",),
    tags=("storage", "cache"),
    before="spec: {modelCacheConfig: {weightsCache: {enabled: true, hostPath: cache}}}",
    after="spec: {modelCacheConfig: {weightsCache: {enabled: true, hostPath: /opt/dlami/nvme/cache}}}",
)
def check(endpoint: EndpointView) -> Matches:
    cache = endpoint.get("modelCacheConfig", "weightsCache")
    if not isinstance(cache, Mapping):
        return
    default = engine_defaults.manifest_default(".".join(_PATH))
    disk = str(default.value) if default is not None else ""
    path = cache.get("hostPath", disk)
    if not isinstance(path, str):
        return
    if not path.startswith("/"):
        yield Match(_PATH, f"'{path}' is not an absolute path", fix=f"use a path such as {disk}")
        return
    if cache.get("enabled") is not True or not disk or not path.startswith(disk):
        return
    bare = {
        name
        for role in endpoint.roles
        for name, _ in endpoint.instance_type_names(role)
        if (known := instance_types.get(name)) is not None and known.nvme_disks == 0
    }
    if bare:
        yield Match(_PATH, f"{path} is on the nodes' NVMe disks, and {', '.join(sorted(bare))} has none")
