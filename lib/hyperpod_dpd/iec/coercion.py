"""Turn wrongly typed values into what was meant, so that later checks see the types they expect."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog.manifest_fields import Field
from hyperpod_dpd.iec.identity import identify
from hyperpod_dpd.iec.scalars import has_type, pairs_without_space
from hyperpod_dpd.iec.validation import tree_for

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class _Nothing:
    """Marks a value of which nothing sensible can be made."""


_NOTHING = _Nothing()
Spelling = Callable[["Path"], str | None]


def coerce(manifest: Any, spelled: Spelling | None = None) -> dict[str, Any]:
    """A deep copy of ``manifest`` in which every known field has its type. Never raises.

    Where a mapping belongs there is a dict, where a list belongs a list, and so on; a value of which nothing
    can be made is left out, an item of a list is replaced, so that indices stay those of the file. Empty
    fields (null) are left out, as the API server does. Unknown fields are kept as they are. ``spelled`` may
    give the text that the user typed for the scalar at a path (``0x10``, ``no``); without it a boolean
    becomes "True" or "False".
    """
    result = _Coercion(spelled).value(tree_for(identify(manifest).kind), manifest, ())
    return result if isinstance(result, dict) else {}


@dataclass(slots=True)
class _Coercion:
    spelled: Spelling | None

    def value(self, node: Field, value: Any, path: Path) -> Any:
        if node.type == "opaque":
            return copy_of(value)
        if node.type == "object":
            return self._object(node, value, path)
        if node.type == "map":
            return self._map(node, value, path)
        if node.type == "list":
            return self._list(node, value, path)
        return self._scalar(node, value, path)

    def _object(self, node: Field, value: Any, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, child in _mapping(value).items():
            known = node.fields.get(key) if isinstance(key, str) else None
            if known is None:
                result[_key(key)] = copy_of(child)
            elif child is not None:
                self._put(result, key, known, child, path)
        return result

    def _map(self, node: Field, value: Any, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        item = node.item or Field(type="opaque")
        for key, child in _mapping(value).items():
            if child is not None:
                self._put(result, _key(key), item, child, path)
        return result

    def _put(self, result: dict[str, Any], key: str, node: Field, child: Any, path: Path) -> None:
        made = self.value(node, child, (*path, key))
        if made is not _NOTHING:
            result[key] = made

    def _list(self, node: Field, value: Any, path: Path) -> list[Any]:
        item = node.item or Field(type="opaque")
        entries = value if isinstance(value, list) else _entries(item, value)
        result = []
        for index, child in enumerate(entries):
            made = self.value(item, _pair(item, child), (*path, index))
            result.append(_neutral(item) if made is _NOTHING else made)
        return result

    def _scalar(self, node: Field, value: Any, path: Path) -> Any:
        if has_type(node, value):
            return int(value) if node.type == "integer" else value
        typed = self.spelled(path) if self.spelled else None
        if node.type == "string":
            return typed if typed is not None else _as_text(value)
        if node.type == "int-or-string":
            if isinstance(value, float) and value.is_integer():
                return int(value)
            return typed if typed is not None else _as_text(value)
        return _from_text(node, value)


def _mapping(value: Any) -> dict[Any, Any]:
    if isinstance(value, dict):
        return value
    return dict(pairs_without_space(value)) if isinstance(value, str) else {}


def _key(key: Any) -> str:
    return key if isinstance(key, str) else _as_text(key)


def _named(item: Field) -> bool:
    """Whether a list is one of names with values, such as environment variables."""
    return item.type == "object" and "name" in item.required and "value" in item.fields


def _entries(item: Field, value: Any) -> list[Any]:
    """The list that was meant by something that is no list."""
    if value is None:
        return []
    if item.type != "object":
        return [] if isinstance(value, dict) else [value]
    if not isinstance(value, dict):
        return []
    if all(key in item.fields for key in value):
        return [value]
    if _named(item):
        return [{"name": key, "value": child} for key, child in value.items()]
    return []


def _pair(item: Field, child: Any) -> Any:
    """``NAME=value`` as an entry of name and value."""
    if _named(item) and isinstance(child, str) and "=" in child:
        name, _, value = child.partition("=")
        return {"name": name, "value": value}
    return child


def _neutral(item: Field) -> Any:
    return {"boolean": False, "integer": 0, "number": 0}.get(item.type, "")


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict) and len(value) == 1:
        key, child = next(iter(value.items()))
        if isinstance(key, str) and key.startswith("-"):
            return key if child is None else f"{key}={_as_text(child)}"
    if isinstance(value, dict | list):
        try:
            return json.dumps(value, default=str)
        except (ValueError, TypeError, RecursionError):
            return ""
    return str(value)


def _from_text(node: Field, value: Any) -> Any:
    """A number or boolean out of text or of a number of the other sort; _NOTHING when there is none in it."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return _NOTHING
    if node.type == "boolean":
        return _WORDS.get(value.strip().lower(), _NOTHING) if isinstance(value, str) else _NOTHING
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return _NOTHING
    if not math.isfinite(found):
        return _NOTHING
    if node.type == "number":
        return found
    if not found.is_integer():
        return _NOTHING
    try:
        return int(value)
    except ValueError:
        return int(found)


def copy_of(value: Any) -> Any:
    """A deep copy of plain data of any depth."""
    if not isinstance(value, dict | list):
        return value
    top: list[Any] = [None]
    todo: list[tuple[Any, Any, Any]] = [(top, 0, value)]
    while todo:
        holder, key, original = todo.pop()
        if isinstance(original, dict):
            holder[key] = copy = dict.fromkeys(original)
            todo.extend((copy, name, child) for name, child in original.items())
        elif isinstance(original, list):
            holder[key] = items = [None] * len(original)
            todo.extend((items, index, child) for index, child in enumerate(original))
        else:
            holder[key] = original
    return top[0]
