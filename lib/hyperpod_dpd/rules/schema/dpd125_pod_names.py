"""
What it checks
--------------
Names of volumes and init containers (a DNS label, each once), and mount paths (absolute, without a colon), of
the model and of spec.kubernetes.

Why it matters
--------------
The custom resource takes any text. The operator puts it into a Deployment, whose pods the API server refuses:
nothing starts, and only the events of the ReplicaSet say why.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hyperpod_dpd.document import Path
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.variables.switches import is_placeholder

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD125",
    name="pod-names",
    severity=Severity.ERROR,
    title="A volume or container that no pod can have",
    fix="write the name in lower case letters, digits and hyphens, and mount paths from the root",
    sources=("Kubernetes API, validation of pods: volumes, mounts and containers",),
    applies_to=AppliesTo.ENDPOINT,
    tags=("names",),
    example=Example(
        before="""
spec: {worker: {modelVolumeMount: {name: Model Weights}}}
""",
        after="""
spec: {worker: {modelVolumeMount: {name: model-weights}}}
""",
    ),
)

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


def check(endpoint: EndpointView) -> Iterator[Hit]:
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
                yield Hit((*path, "name"), f"'{name}' is the name of another entry too")
            seen.add(name if isinstance(name, str) else index)
            for at, each in enumerate(_items(item.get("volumeMounts"))):
                yield from _mount(each.get("mountPath"), (*path, "volumeMounts", at, "mountPath"))


def _items(value: object) -> list[Mapping[str, object]]:
    return [each if isinstance(each, Mapping) else {} for each in value] if isinstance(value, list) else []


def _name(name: object, path: Path, what: str) -> Iterator[Hit]:
    if isinstance(name, str) and not _LABEL.fullmatch(name) and not is_placeholder(name):
        yield Hit(path, f"'{name}' cannot be the name of {what} of a pod")


def _mount(place: object, path: Path) -> Iterator[Hit]:
    if isinstance(place, str) and not is_placeholder(place) and (not place.startswith("/") or ":" in place):
        yield Hit(path, f"'{place}' cannot be a mount path; it starts with a slash and holds no colon")
