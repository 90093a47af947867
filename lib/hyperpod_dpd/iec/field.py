"""The small language in which the custom resource's fields are written down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

INT32_MAX = 2**31 - 1
INT64_MAX = 2**63 - 1

# What Kubernetes itself accepts as a quantity; unlike most patterns of the resource it is anchored.
QUANTITY_PATTERN = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
    r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """One node of the tree.

    ``type`` is object, list, map, string, integer, number, boolean, int-or-string or opaque (anything goes).
    ``since`` is the operator release that brought the field ('' = before 2.3, or unknown to us); ``certain``
    says whether that release, and the place in the tree, are documented. ``fields`` and ``required`` belong
    to objects, ``item`` to lists and maps, ``keys`` and ``unique`` to lists. ``meaning`` says in words what
    ``pattern`` allows; ``other`` holds schema words of a user's own CRD that this language does not have.
    """

    type: str
    fields: Mapping[str, Field] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    item: Field | None = None
    keys: tuple[str, ...] = ()
    unique: bool = False
    enum: tuple[Any, ...] = ()
    pattern: str | None = None
    meaning: str = ""
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
    certain: bool = True
    note: str = ""
    other: Mapping[str, Any] = field(default_factory=dict)


def obj(required: str = "", /, **fields: Field) -> Field:
    """A mapping with known fields; ``required`` names some of them, separated by blanks."""
    return Field(type="object", fields=fields, required=tuple(required.split()))


def text(pattern: str | None = None, *, enum: str = "", **limits: Any) -> Field:
    """A string; ``enum`` lists the allowed words, separated by blanks."""
    return Field(type="string", pattern=pattern, enum=tuple(enum.split()), **limits)


def integer(**limits: Any) -> Field:
    """A whole number of 32 bits unless ``bits=64``."""
    return Field(type="integer", **{"bits": 32, **limits})


def number(**limits: Any) -> Field:
    """A number with or without a fraction."""
    return Field(type="number", **limits)


def boolean(default: bool | None = None) -> Field:
    """true or false."""
    return Field(type="boolean", default=default)


def quantity() -> Field:
    """An amount of a resource: a whole number or a string with a unit."""
    return Field(type="int-or-string", pattern=QUANTITY_PATTERN)


def int_or_string() -> Field:
    """A port by number or by name."""
    return Field(type="int-or-string")


def listing(item: Field, *, keys: str = "", **limits: Any) -> Field:
    """A list; ``keys`` names the fields that must differ between items."""
    return Field(type="list", item=item, keys=tuple(keys.split()), **limits)


def mapping(item: Field) -> Field:
    """A mapping with free keys."""
    return Field(type="map", item=item)


def opaque() -> Field:
    """Anything; we know that the field exists, not what belongs in it."""
    return Field(type="opaque")


def since(release: str, node: Field, *, certain: bool = True, note: str = "") -> Field:
    """``node`` as of an operator release."""
    return replace(node, since=release, certain=certain, note=note)


def strings() -> Field:
    """A list of strings."""
    return listing(text())


def string_map() -> Field:
    """A mapping from string to string."""
    return mapping(text())


def quantity_map() -> Field:
    """A mapping from resource name to amount."""
    return mapping(quantity())


@cache
def compiled(pattern: str) -> re.Pattern[str] | None:
    """``pattern`` as the API server reads it (Go syntax, where ``$`` is the very end); None if not
    expressible.
    """
    anchored = re.sub(r"(?<!\\)\$", r"\\Z", pattern)
    try:
        return re.compile(anchored)
    except re.error:
        return None


def release_number(release: str) -> tuple[int, ...]:
    """An operator release ('3.2', 'v3.1.2') as a comparable tuple. Raises ValueError for other text."""
    if not re.fullmatch(r"v?[0-9]+(\.[0-9]+)*", release):
        raise ValueError(f"'{release}' is not an operator release. Write it like '3.2'.")
    parts = [int(part) for part in release.removeprefix("v").split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def is_newer(node: Field, release: str | None) -> bool:
    """Whether ``node`` came after ``release``; never when the release is not known."""
    return bool(release and node.since) and release_number(node.since) > release_number(release or "0")
