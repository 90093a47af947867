"""Kubernetes' own kinds as field trees, built from the compact table when an object of such a kind is met."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from hyperpod_dpd.catalog import manifest_fields
from hyperpod_dpd.catalog.data_files import document
from hyperpod_dpd.catalog.manifest_fields import Field

_TABLE, _LIMITS = "kubernetes_kinds", "kubernetes_limits"
_MEMBER = re.compile(r"(?P<name>[\w$-]+)(?P<required>!?)(?::(?P<type>[^@]+))?(?:@(?P<since>[0-9.]+))?")
_SCALARS = {
    "string": Field(type="string", nullable=True),
    "integer": Field(type="integer", bits=32, nullable=True),
    "int64": Field(type="integer", bits=64, nullable=True),
    "number": Field(type="number", nullable=True),
    "boolean": Field(type="boolean", nullable=True),
    "quantity": Field(type="int-or-string", pattern=manifest_fields.QUANTITY_PATTERN, nullable=True),
    "port": Field(type="int-or-string", nullable=True),
    "any": Field(type="opaque", nullable=True),
}


def versions() -> list[str]:
    """The Kubernetes versions that the table covers, oldest first."""
    return ["1.30", "1.31", "1.32", "1.33", "1.34", "1.35"]


@cache
def tree_of(api_version: str, kind: str, version: str | None = None) -> Field | None:
    """The fields of a kind in a Kubernetes version (None: all that any version has); None for another kind."""
    name = document(_TABLE)["kinds"].get(f"{api_version} {kind}")
    if name is None:
        return None
    tree = _named(name, version)
    metadata = manifest_fields.root().fields["metadata"]
    return replace(tree, fields={**tree.fields, "metadata": metadata}, nullable=False)


@cache
def _named(name: str, version: str | None) -> Field:
    """A type of the table. A null counts as absent, as the API server reads these kinds."""
    if name in _SCALARS:
        return _SCALARS[name]
    if name == "ObjectMeta":
        return replace(manifest_fields.root().fields["metadata"], nullable=True)
    fields, required = {}, []
    for word in document(_TABLE)["types"][name].split():
        member = _MEMBER.fullmatch(word)
        assert member is not None, word
        if version and member["since"] and _number(member["since"]) > _number(version):
            continue
        fields[member["name"]] = _limited(
            _typed(member["type"] or "string", version), f"{name}.{member['name']}"
        )
        required += [member["name"]] if member["required"] else []
    return Field(type="object", fields=fields, required=tuple(required), nullable=True)


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _typed(kind: str, version: str | None) -> Field:
    inner, _, keys = kind.partition("#")
    if inner.startswith("["):
        item = replace(_typed(inner[1:-1], version), nullable=False)
        return Field(type="list", item=item, distinct=tuple(keys.split(",")) if keys else (), nullable=True)
    if inner.startswith("{"):
        return Field(type="map", item=replace(_typed(inner[1:-1], version), nullable=False), nullable=True)
    return _named(inner, version)


def _limited(node: Field, place: str) -> Field:
    words = document(_LIMITS)["enums"].get(place)
    if words:
        if node.type == "list" and node.item is not None:
            return replace(node, item=replace(node.item, enum=tuple(words)))
        return replace(node, enum=tuple(words))
    bounds = document(_LIMITS)["bounds"].get(place)
    return replace(node, minimum=bounds[0], maximum=bounds[1]) if bounds else node
