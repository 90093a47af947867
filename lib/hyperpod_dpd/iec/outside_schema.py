"""What the API server refuses of an object although its schema allows it: metadata, and the count that scaling sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.iec.problem import SchemaProblem, place, shown

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

MAX_ANNOTATIONS_BYTES = 256 * 1024
"""Of keys and values together (apimachinery, ValidateAnnotationsSize)."""
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_QUALIFIED = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d([.,]\d+)?([Zz]|[+-]\d\d:\d\d)")
_VERSION = re.compile(r"([a-z0-9.-]+/)?[a-z0-9]+")
_NAMES = ("apiVersion", "kind", "name", "uid")


def qualified(key: str) -> bool:
    """Whether ``key`` is a name with an optional DNS prefix, as labels, annotations and finalizers need it."""
    prefix, slash, name = key.rpartition("/")
    return bool(_QUALIFIED.fullmatch(name)) and (
        not slash or (len(prefix) <= 253 and bool(_SUBDOMAIN.fullmatch(prefix)))
    )


def outside_schema(manifest: dict[Any, Any]) -> Iterator[SchemaProblem]:
    """Faults of the metadata, and a number of replicas that no scaling could set; wrong types are left out."""
    yield from metadata_problems(manifest)
    spec = manifest.get("spec")
    replicas = spec.get("replicas") if isinstance(spec, dict) else None
    if isinstance(replicas, int) and replicas < 0:
        yield _problem(
            "minimum",
            ("spec", "replicas"),
            replicas,
            f"is {replicas}; the scale of the resource takes no number below 0",
            "Write 0 or more.",
        )


def metadata_problems(manifest: Mapping[str, Any]) -> Iterator[SchemaProblem]:
    """Faults of the metadata of any object."""
    metadata = manifest.get("metadata")
    if isinstance(metadata, dict):
        for check in _CHECKS:
            yield from check(metadata)


def _problem(kind: str, path: Path, value: Any, said: str, fix: str) -> SchemaProblem:
    return SchemaProblem(kind=kind, path=path, value=value, message=f"{place(path)} {said}.", fix=fix)


def _generated_name(metadata: dict[Any, Any]) -> Iterator[SchemaProblem]:
    prefix = metadata.get("generateName")
    if not isinstance(prefix, str) or not prefix or "$" in prefix or "<" in prefix or "{{" in prefix:
        return
    # The server puts letters behind it, so a hyphen may be its last character.
    masked = f"{prefix[:-1]}a" if prefix.endswith("-") else prefix
    if len(masked) > 253 or not _SUBDOMAIN.fullmatch(masked):
        yield _problem(
            "pattern",
            ("metadata", "generateName"),
            prefix,
            f"is {shown(prefix)}, which cannot begin a name",
            "Use lower case letters, digits, hyphens and dots, beginning with a letter or digit.",
        )


def _annotations(metadata: dict[Any, Any]) -> Iterator[SchemaProblem]:
    given = metadata.get("annotations")
    if not isinstance(given, dict):
        return
    size = sum(
        len(t.encode("utf-8", "replace")) for pair in given.items() for t in pair if isinstance(t, str)
    )
    if size > MAX_ANNOTATIONS_BYTES:
        yield _problem(
            "length",
            ("metadata", "annotations"),
            None,
            f"holds {size:,} bytes; at most {MAX_ANNOTATIONS_BYTES:,} are allowed",
            "Keep large texts in a ConfigMap, or apply on the server's side, which writes no copy of the object here.",
        )


def _finalizers(metadata: dict[Any, Any]) -> Iterator[SchemaProblem]:
    given = metadata.get("finalizers")
    texts = [entry for entry in given if isinstance(entry, str)] if isinstance(given, list) else []
    for index, text in enumerate(texts):
        if not qualified(text):
            yield _problem(
                "pattern",
                ("metadata", "finalizers", index),
                text,
                f"is {shown(text)}, which is no name of a finalizer",
                "Write domain/name, as the controller that removes it does, or remove it.",
            )
    if {"orphan", "foregroundDeletion"} <= set(texts):
        yield _problem(
            "enum",
            ("metadata", "finalizers"),
            given,
            "has both orphan and foregroundDeletion, which exclude each other",
            "Remove one of the two.",
        )


def _owners(metadata: dict[Any, Any]) -> Iterator[SchemaProblem]:
    given = metadata.get("ownerReferences")
    owners = given if isinstance(given, list) else []
    controllers = []
    for index, owner in enumerate(owners):
        if not isinstance(owner, dict):
            continue
        at: Path = ("metadata", "ownerReferences", index)
        for name in _NAMES:
            if owner.get(name) == "":
                yield _problem("missing", (*at, name), "", "is empty", f"Write the owner's {name}.")
        version = owner.get("apiVersion")
        if isinstance(version, str) and version and not _VERSION.fullmatch(version):
            yield _problem(
                "pattern",
                (*at, "apiVersion"),
                version,
                f"is {shown(version)}, which is no API version",
                "Write group/version.",
            )
        if owner.get("controller") is True:
            controllers.append(index)
    if len(controllers) > 1:
        yield _problem(
            "duplicate-key-entry",
            ("metadata", "ownerReferences", controllers[1], "controller"),
            True,
            f"names a second controller besides item {controllers[0]}; an object has one",
            "Set controller on one owner only.",
        )


def _server_fields(metadata: dict[Any, Any]) -> Iterator[SchemaProblem]:
    for name in ("creationTimestamp", "deletionTimestamp"):
        value = metadata.get(name)
        if isinstance(value, str) and not _TIME.fullmatch(value):
            yield _problem(
                "pattern",
                ("metadata", name),
                value,
                f"is {shown(value)}, which is no time",
                f"Remove {name}: the server writes it.",
            )
    generation = metadata.get("generation")
    if isinstance(generation, int) and generation < 0:
        yield _problem(
            "minimum",
            ("metadata", "generation"),
            generation,
            f"is {generation}; at least 0 is allowed",
            "Remove generation: the server writes it.",
        )


_CHECKS: tuple[Callable[[dict[Any, Any]], Iterator[SchemaProblem]], ...] = (
    _generated_name,
    _annotations,
    _finalizers,
    _owners,
    _server_fields,
)
