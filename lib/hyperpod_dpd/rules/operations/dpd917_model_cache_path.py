"""
What it checks
--------------
That the host path of the weights cache is absolute, and that where it lies on the nodes' NVMe disks the
instance types have some. The path's length is judged with the manifest's other fields.

Why it matters
--------------
On a type without such disks the path lies on the root volume: the weights fill it, and the node is marked
unhealthy. A relative path is refused when the pod is made.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults, instance_types
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD917",
    name="model-cache-path",
    severity=Severity.ERROR,
    title="The weights cache is on a path that the nodes do not have",
    fix="use an absolute path on a disk of the nodes, or switch the weights cache off",
    sources=(
        "HyperPod inference release notes, 3.3, model and image caching",
        "EC2 instance data: local NVMe disks of a type",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R193",),
    tags=(
        "storage",
        "cache",
    ),
    example=Example(
        before="spec: {modelCacheConfig: {weightsCache: {enabled: true, hostPath: cache}}}",
        after="spec: {modelCacheConfig: {weightsCache: {enabled: true, hostPath: /opt/dlami/nvme/cache}}}",
    ),
)

_PATH = ("spec", "modelCacheConfig", "weightsCache", "hostPath")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    cache = endpoint.get("modelCacheConfig", "weightsCache")
    if not isinstance(cache, Mapping):
        return
    default = engine_defaults.manifest_default(".".join(_PATH))
    disk = str(default.value) if default is not None else ""
    path = cache.get("hostPath", disk)
    if not isinstance(path, str):
        return
    if not path.startswith("/"):
        yield Hit(_PATH, f"'{path}' is not an absolute path", fix=f"use a path such as {disk}")
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
        yield Hit(_PATH, f"{path} is on the nodes' NVMe disks, and {', '.join(sorted(bare))} has none")
