import re
from collections.abc import Mapping

from hyperpod_dpd.rules.rule import ENDPOINT, ERROR, EndpointView, Match, Matches, Path, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


@rule(
    ("DPD125", "pod-names", ERROR, ENDPOINT),
    title="A volume or container that no pod can have",
    what="""Names of volumes and init containers (a DNS label, each once), and mount paths (absolute, without
    a colon), of the model and of spec.kubernetes.""",
    why="""The custom resource takes any text. The operator puts it into a Deployment, whose pods the API
    server refuses: nothing starts, and only the events of the ReplicaSet say why.""",
    fine="Never.",
    fix="write the name in lower case letters, digits and hyphens, and mount paths from the root",
    sources="Kubernetes API, validation of pods: volumes, mounts and containers",
    tags=("names",),
    before="spec: {worker: {modelVolumeMount: {name: Model Weights}}}",
    after="spec: {worker: {modelVolumeMount: {name: model-weights}}}",
)
def check(endpoint: EndpointView) -> Matches:
    mount: Path = ("spec", "worker", "modelVolumeMount")
    yield from _name(endpoint.get("worker", "modelVolumeMount", "name"), (*mount, "name"), "a volume")
    yield from _mount(endpoint.get("worker", "modelVolumeMount", "mountPath"), (*mount, "mountPath"))
    for key, what in (("volumes", "a volume"), ("initContainers", "a container")):
        seen: set[object] = set()
        for index, item in enumerate(_items(endpoint.get("kubernetes", key))):
            path: Path = ("spec", "kubernetes", key, index)
            name = item.get("name")
            yield from _name(name, (*path, "name"), what)
            if name in seen:
                yield Match((*path, "name"), f"'{name}' is the name of another entry too")
            seen.add(name if isinstance(name, str) else index)
            for at, each in enumerate(_items(item.get("volumeMounts"))):
                yield from _mount(each.get("mountPath"), (*path, "volumeMounts", at, "mountPath"))


def _items(value: object) -> list[Mapping[str, object]]:
    return [each if isinstance(each, Mapping) else {} for each in value] if isinstance(value, list) else []


def _name(name: object, path: Path, what: str) -> Matches:
    if isinstance(name, str) and not _LABEL.fullmatch(name) and not is_placeholder(name):
        yield Match(path, f"'{name}' cannot be the name of {what} of a pod")


def _mount(place: object, path: Path) -> Matches:
    if isinstance(place, str) and not is_placeholder(place) and (not place.startswith("/") or ":" in place):
        yield Match(path, f"'{place}' cannot be a mount path; it starts with a slash and holds no colon")
