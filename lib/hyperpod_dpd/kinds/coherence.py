"""Parts of one object that contradict each other, which the schema of its kind cannot say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.iec.outside_schema import qualified
from hyperpod_dpd.iec.problem import SchemaProblem, place, shown

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_SERVICE = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_SEGMENT = re.compile(r"(?!\.{1,2}$)[^/%]+")
_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")
_NAMES = {
    "Namespace": (_LABEL, "lower case letters, digits and hyphens"),
    "Service": (_SERVICE, "a letter first, then lower case letters, digits and hyphens"),
    **dict.fromkeys(
        ("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"),
        (_SEGMENT, "no slash and no percent sign"),
    ),
}
_WITH_SELECTOR = frozenset({"Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"})
_CONFIG_BYTES = 1024 * 1024
"""Of all values of a ConfigMap or a Secret (Kubernetes API, validation of both)."""


def contradictions(value: Mapping[str, Any]) -> Iterator[SchemaProblem]:
    """Selectors that miss their own pods, mounts without a volume, names of containers, data that is too large."""
    kind = value.get("kind")
    yield from _name(kind, _mapping(value.get("metadata")))
    if kind in ("ConfigMap", "Secret"):
        yield from _size(value)
    spec = value.get("spec")
    if not isinstance(spec, Mapping):
        return
    template = spec.get("template")
    if kind == "CronJob":
        job = _mapping(_mapping(spec.get("jobTemplate")).get("spec"))
        yield from _pod(
            _mapping(_mapping(job.get("template")).get("spec")),
            ("spec", "jobTemplate", "spec", "template", "spec"),
        )
    elif kind == "Pod":
        yield from _pod(spec, ("spec",))
    elif isinstance(template, Mapping):
        if kind in _WITH_SELECTOR:
            yield from _selector(spec, template)
        yield from _pod(_mapping(template.get("spec")), ("spec", "template", "spec"))


def _name(kind: Any, metadata: Mapping[str, Any]) -> Iterator[SchemaProblem]:
    name = metadata.get("name")
    if name is None and not metadata.get("generateName"):
        yield _problem(
            "missing", ("metadata", "name"), None, "is missing, and it is required", "Add metadata.name."
        )
    elif isinstance(name, str) and not any(mark in name for mark in "$<{"):
        allowed, words = _NAMES.get(str(kind), (_SUBDOMAIN, "lower case letters, digits, hyphens and dots"))
        if not allowed.fullmatch(name) or len(name) > (
            63 if allowed is _SERVICE or allowed is _LABEL else 253
        ):
            fix = f"Use {words}, with a letter or digit at both ends."
            yield _problem(
                "pattern", ("metadata", "name"), name, f"is {shown(name)}, which is no name of a {kind}", fix
            )
    for key, label in _mapping(metadata.get("labels")).items():
        if (
            not isinstance(key, str)
            or not isinstance(label, str)
            or any(mark in key + label for mark in "$<{")
        ):
            continue
        if not qualified(key) or not _VALUE.fullmatch(label):
            yield _problem(
                "pattern",
                ("metadata", "labels", key),
                label,
                f"is {shown(label)}: key or value cannot be a label's",
                "Use letters, digits, hyphens, dots and underscores, at most 63 in the name and in the value.",
            )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _problem(kind: str, path: Path, value: Any, said: str, fix: str) -> SchemaProblem:
    return SchemaProblem(kind=kind, path=path, value=value, message=f"{place(path)} {said}.", fix=fix)


def _size(value: Mapping[str, Any]) -> Iterator[SchemaProblem]:
    texts = [
        text
        for part in ("data", "binaryData", "stringData")
        for text in _mapping(value.get(part)).values()
        if isinstance(text, str)
    ]
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    if size > _CONFIG_BYTES:
        yield _problem(
            "length",
            ("data",),
            None,
            f"holds {size:,} bytes; at most {_CONFIG_BYTES:,} are allowed",
            "Split it.",
        )


def _selector(spec: Mapping[str, Any], template: Mapping[str, Any]) -> Iterator[SchemaProblem]:
    labels = _mapping(_mapping(template.get("metadata")).get("labels"))
    for key, wanted in _mapping(_mapping(spec.get("selector")).get("matchLabels")).items():
        if isinstance(wanted, str) and labels.get(key) != wanted:
            yield _problem(
                "pattern",
                ("spec", "selector", "matchLabels", key),
                wanted,
                f"is {shown(wanted)}, and the pods' own label is {shown(labels.get(key))}",
                f"Give spec.template.metadata.labels the same {key}.",
            )


def _pod(pod: Mapping[str, Any], at: Path) -> Iterator[SchemaProblem]:
    volumes = {str(volume.get("name")) for volume in _list(pod.get("volumes")) if isinstance(volume, Mapping)}
    seen: dict[str, str] = {}
    for part in ("initContainers", "containers"):
        for index, container in enumerate(_list(pod.get(part))):
            if not isinstance(container, Mapping):
                continue
            where: Path = (*at, part, index)
            yield from _container_name(container, where, seen)
            for number, mount in enumerate(_list(container.get("volumeMounts"))):
                name = _mapping(mount).get("name")
                if isinstance(name, str) and name not in volumes and "$" not in name:
                    yield _problem(
                        "missing",
                        (*where, "volumeMounts", number, "name"),
                        name,
                        f"mounts {shown(name)}, and the pod has no volume of that name",
                        "Add the volume, or correct the name.",
                    )
    if "containers" in pod and pod["containers"] == []:
        yield _problem(
            "missing", (*at, "containers"), [], "is empty, and a pod needs one", "Add a container."
        )


def _container_name(container: Mapping[str, Any], at: Path, seen: dict[str, str]) -> Iterator[SchemaProblem]:
    name = container.get("name")
    if not isinstance(name, str) or "$" in name:
        return
    if not _LABEL.fullmatch(name):
        yield _problem(
            "pattern",
            (*at, "name"),
            name,
            f"is {shown(name)}, which is no name of a container",
            "Use a-z, 0-9 and '-', at most 63.",
        )
    if name in seen and seen[name] != str(at[-2]):
        yield _problem(
            "duplicate-key-entry",
            (*at, "name"),
            name,
            f"is {shown(name)}, which {seen[name]} has too",
            "Rename one.",
        )
    seen.setdefault(name, str(at[-2]))
