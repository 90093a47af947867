from collections.abc import Mapping

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, WARNING, EndpointView, Match, Matches, Path, rule

_OWN = frozenset({"cpu", "memory", "ephemeral-storage"})
_DEVICES = {"gpu": names.GPU_RESOURCE, "efa": names.EFA_RESOURCE}
_OTHER_GPUS = ("amd.com/", "gpu.intel.com/", "nvidia.com/gpu.", "nvidia.com/mig-")


@rule(
    ("DPD724", "resource-name", ERROR, ENDPOINT),
    title="A resource that Kubernetes or the nodes do not know",
    what="""Names in the resources of each role and of the worker: one of Kubernetes, or one with a domain
    (else an error); a name that speaks of GPUs or of EFA is that of the device plugin (else a warning).""",
    why="""The custom resource takes any name. The API server refuses pods with a name of its own that it does
    not know, and a pod that asks for a device nobody offers stays Pending.""",
    fine="For devices of another plugin on your nodes (the warning).",
    fix="write the full name: cpu, memory, nvidia.com/gpu, vpc.amazonaws.com/efa",
    sources="""Kubernetes documentation, extended resources: names with a domain | Device plugins of NVIDIA
    and of the EFA, names of their resources""",
    tags=("resources",),
    before="spec: {pdSpec: {decodingSpec: {resources: {limits: {gpu: 8}}}}}",
    after="spec: {pdSpec: {decodingSpec: {resources: {limits: {nvidia.com/gpu: 8}}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    blocks = {role.path: role.resources for role in endpoint.roles}
    worker = endpoint.get("worker", "resources")
    blocks[("spec", "worker")] = worker if isinstance(worker, Mapping) else {}
    for place, block in blocks.items():
        for kind in ("requests", "limits"):
            amounts = block.get(kind)
            for name in amounts if isinstance(amounts, Mapping) else ():
                path: Path = (*place, "resources", kind, name)
                if "/" not in name and name not in _OWN and not name.startswith("hugepages-"):
                    yield Match(path, f"'{name}' is no resource of Kubernetes, and other names need a domain")
                    continue
                meant = next((full for word, full in _DEVICES.items() if word in name.lower()), None)
                if meant and "/" in name and name != meant and not name.startswith(_OTHER_GPUS):
                    message = f"no plugin on the nodes offers '{name}'; {meant} was probably meant"
                    yield Match(path, message, WARNING, f"write {meant}")
