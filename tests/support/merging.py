"""Put a fragment of a document into a healthy base, as the examples of the rules are written."""

from __future__ import annotations

import copy
from typing import Any

ARGUMENT_LISTS = ("args",)


def merged(base: Any, fragment: Any, key: str = "") -> Any:
    """``base`` with ``fragment`` put in: mappings merge, null removes, named list entries merge by name.

    ``args`` given as a list replaces flags of the same name; given as a mapping it sets (or, by null, removes) them.
    """
    if key in ARGUMENT_LISTS and isinstance(base, list | None):
        return _arguments(base or [], fragment)
    if isinstance(base, dict) and isinstance(fragment, dict):
        result = dict(base)
        for name, value in fragment.items():
            if value is None:
                result.pop(name, None)
            else:
                result[name] = merged(base.get(name), value, name)
        return result
    if _named(base) and _named(fragment):
        return _entries(base, fragment)
    if isinstance(fragment, dict):
        return merged({}, fragment)
    return copy.deepcopy(fragment)


def _named(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) and "name" in item for item in value)


def _entries(base: list[dict[str, Any]], fragment: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries of the same name are replaced by all of the fragment's entries of that name; '-NAME' removes one."""
    given = {item["name"] for item in fragment}
    kept = [item for item in base if item["name"] not in given and f"-{item['name']}" not in given]
    return kept + [item for item in fragment if not str(item["name"]).startswith("-")]


def _arguments(base: list[Any], fragment: Any) -> Any:
    if isinstance(fragment, list) and all(isinstance(i, str) for i in fragment):
        flags = {i for i in fragment if i.startswith("--") and "=" not in i}
        return [*_without(base, flags), *fragment]
    if isinstance(fragment, dict):
        result = _without(base, set(fragment))
        for flag, value in fragment.items():
            if value is not None:
                result += [flag] if value is True else [flag, str(value)]
        return result
    return fragment


def _without(items: list[Any], flags: set[str]) -> list[Any]:
    result: list[Any] = []
    skipping = False
    for item in items:
        if isinstance(item, str) and item.startswith("-"):
            skipping = item in flags
        if not skipping:
            result.append(item)
    return result
