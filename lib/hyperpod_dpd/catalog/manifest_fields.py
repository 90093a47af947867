"""The fields of an InferenceEndpointConfig: one table, from which everything that knows a field reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import yaml

from hyperpod_dpd.catalog.data_files import Fact, document, source

__all__ = [
    "NAME",
    "QUANTITY_PATTERN",
    "Field",
    "arguments",
    "default",
    "keyed",
    "of_key",
    "releases",
    "root",
    "walk",
]

NAME = "manifest_fields"
# What Kubernetes itself accepts as a quantity; unlike most patterns of the resource it is anchored.
QUANTITY_PATTERN = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
    r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
_MEMBER = re.compile(r"(?P<name>\w+)(?P<required>!?)(?::(?P<type>[^=]+))?(?:=(?P<default>.*))?")
_LISTS = ("enum", "distinct", "unconfirmed")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """One node of the resource's tree; the head of the data file says what the columns mean.

    ``type`` is object, list, map, string, integer, number, boolean, int-or-string or opaque (anything goes).
    ``fields`` and ``required`` belong to objects, ``item`` to lists and maps, ``distinct`` (the fields that must
    differ between items) and ``unique`` to lists. ``other`` holds schema words of a user's own CRD that the table
    does not have.
    """

    type: str
    fields: Mapping[str, Field] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    item: Field | None = None
    distinct: tuple[str, ...] = ()
    unique: bool = False
    enum: tuple[Any, ...] = ()
    pattern: str | None = None
    means: str = ""
    minimum: int | float | None = None
    maximum: int | float | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    default: Any = None
    nullable: bool = False
    bits: int | None = None
    since: str = ""
    unconfirmed: tuple[str, ...] = ()
    source: str = ""
    note: str = ""
    key: str | None = None
    entries: Mapping[str, str] = field(default_factory=dict)
    copied: bool = False
    description: str | None = None
    words: str | Mapping[str, str] | None = None
    other: Mapping[str, Any] = field(default_factory=dict)

    @property
    def certain(self) -> bool:
        """Whether its place and its release are documented."""
        return not self.unconfirmed


_SCALARS = {
    "string": Field(type="string"),
    "integer": Field(type="integer", bits=32),
    "int64": Field(type="integer", bits=64),
    "number": Field(type="number"),
    "boolean": Field(type="boolean"),
    "quantity": Field(type="int-or-string", pattern=QUANTITY_PATTERN),
    "port": Field(type="int-or-string"),
    "any": Field(type="opaque"),
}


@cache
def root(version: str = "v1") -> Field:
    """The whole object of an API version (``v1`` or the older ``v1alpha1``), apiVersion to status."""
    if version != "v1":
        return _older(root(), (), document(NAME)["v1alpha1"])
    return _built({name: part for name, part in _parts().items() if not name[0].isupper()}, {})


@cache
def _parts() -> Mapping[str, Any]:
    """The rows as nested mappings; the attributes of each stand under ''."""
    parts: dict[str, Any] = {}
    for path, row in document(NAME)["fields"].items():
        place = parts
        for step in path.split("."):
            place = place.setdefault(step, {})
        place[""] = row
    return parts


@cache
def _named(name: str) -> Field:
    if name in _SCALARS:
        return _SCALARS[name]
    if name in _parts():
        return _built(_parts()[name], {})
    entry = document(NAME)["types"][name]
    if not isinstance(entry, str):
        return _with(_typed(entry["type"]), entry)
    members = [_MEMBER.fullmatch(word) for word in entry.split()]
    fields, required = {}, []
    for member in members:
        assert member is not None, entry
        given = member["default"]
        node = _typed(yaml.safe_load(member["type"] or "string"))
        value = None if given is None else yaml.safe_load(given) if node.type != "string" else given
        fields[member["name"]] = node if value is None else replace(node, default=value)
        required += [member["name"]] if member["required"] else []
    return Field(type="object", fields=fields, required=tuple(required))


def _typed(kind: Any) -> Field:
    if isinstance(kind, list):
        return Field(type="list", item=_typed(kind[0]))
    if isinstance(kind, dict):
        return Field(type="map", item=_typed(next(iter(kind))))
    return _named(kind)


def _with(node: Field, row: Mapping[str, Any]) -> Field:
    given: dict[str, Any] = {
        k: tuple(v) if k in _LISTS else v for k, v in row.items() if k not in ("type", "required")
    }
    return replace(node, **given) if given else node


def _built(part: Mapping[str, Any], row: Mapping[str, Any]) -> Field:
    """An object of what stands below ``part``; ``name[]`` is a list of such objects."""
    fields: dict[str, Field] = {}
    required = []
    for name, below in part.items():
        if not name:
            continue
        own = below.get("", {})
        bare = name.removesuffix("[]")
        if "type" in own:
            fields[bare] = _with(_typed(own["type"]), own)
        elif bare == name:
            fields[bare] = _built(below, own)
        else:
            fields[bare] = _with(Field(type="list", item=_built(below, {})), own)
        required += [bare] if own.get("required") else []
    return _with(Field(type="object", fields=fields, required=tuple(required)), row)


def _older(node: Field, path: tuple[str, ...], kept: Mapping[str, Mapping[str, str]]) -> Field:
    """``node`` with what an older API version keeps of it."""
    place = ".".join(path)
    names = kept["keeps"][place].split() if place in kept["keeps"] else list(node.fields)
    fields = {name: _older(node.fields[name], (*path, name), kept) for name in names}
    required = (*kept["required"].get(place, "").split(), *node.required)
    enum = tuple(kept["enum"][place].split()) if place in kept["enum"] else node.enum
    return replace(node, fields=fields, required=required, enum=enum)


def walk(node: Field | None = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Field]]:
    """Every field that is not inside a list or a map, with its path, mappings before what they hold."""
    for name, child in (node or root()).fields.items():
        yield (*path, name), child
        yield from walk(child, (*path, name))


def default(path: str) -> Fact | None:
    """What the API server fills in at a path ("spec.metrics.modelMetrics.port"); None without a default."""
    node, read = root(), document(NAME)["source"]
    for step in path.split("."):
        if step not in node.fields:
            return None
        node = node.fields[step]
        read = node.source or read
    return None if node.default is None else Fact(node.default, source(NAME, read), note=node.note)


def releases() -> list[tuple[str, Field, str]]:
    """Path, field and key of the source of every row that an operator release brought."""
    rows = document(NAME)["fields"]
    return [
        (path, _with(Field(type=""), row), row.get("source", document(NAME)["source"]))
        for path, row in rows.items()
        if "since" in row
    ]


@cache
def keyed() -> tuple[tuple[tuple[str, ...], tuple[str, ...], Field], ...]:
    """Path in the manifest, key in the endpoint's section of the document, and field, for all that have a key."""
    return tuple(_keyed(root(), (), None))


def _keyed(
    node: Field, path: tuple[str, ...], above: tuple[str, ...] | None
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], Field]]:
    for name, child in node.fields.items():
        at, key = (*path, name), _key(child.key, above)
        if key is not None:
            yield at, key, child
        for entry, relative in child.entries.items():
            of_entry = _key(relative, key)
            if of_entry is not None:
                yield (*at, entry), of_entry, child.item or child
        yield from _keyed(child, at, key)


def _key(written: str | None, above: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """A key as the table has it; dots in front count levels up from the key above, as in Python's imports."""
    if written is None:
        return None
    relative = written.lstrip(".")
    ups = len(written) - len(relative)
    names = tuple(relative.split(".")) if relative else ()
    if not ups:
        return names
    return None if above is None else (*above[: len(above) - ups + 1], *names)


@cache
def of_key() -> Mapping[str, tuple[tuple[str, ...], Field]]:
    """Path and field by dotted key, for the keys whose value is rendered as it is."""
    return {".".join(key): (path, node) for path, key, node in keyed() if node.copied}


def arguments() -> Mapping[str, tuple[str, ...]]:
    """The engine's flags that have a key of their own, without dashes."""
    return {flag: tuple(key.split(".")) for flag, key in document(NAME)["arguments"].items()}


def variables() -> Mapping[str, tuple[str, ...]]:
    """The environment variables that have a key of their own."""
    return {name: tuple(key.split(".")) for name, key in document(NAME)["variables"].items()}
