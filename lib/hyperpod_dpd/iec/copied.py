"""Values that stand in the environment document and in the manifest alike, carried over both ways by the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hyperpod_dpd.catalog import manifest_fields

Nested = dict[str, Any]


def to_manifest(section: Any) -> Nested:
    """What an endpoint's section of the document says that is rendered as it is, in the document's order."""
    result: Nested = {}
    for key, value in _values(section, ""):
        found = manifest_fields.of_key().get(key)
        if found and value not in (None, {}):
            _put(result, found[0], value)
    return result


def to_document(manifest: Nested, defaults: Nested) -> Nested:
    """What a manifest says that the document says alike; left out where it is in ``defaults``, by dotted key."""
    result: Nested = {}
    for key, (path, _) in manifest_fields.of_key().items():
        value: Any = manifest
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        if value is not None and value != defaults.get(key):
            _put(result, tuple(key.split(".")), value)
    return result


def defaults_of(section: Any) -> Nested:
    """The values of a section that nobody wrote, by dotted key."""
    return dict(_values(section, ""))


def filled(skeleton: Nested, values: Nested) -> Nested:
    """``skeleton`` with ``values`` in its places; None in it keeps a place, and goes where nothing took it."""
    result: Nested = {}
    for key in dict.fromkeys((*skeleton, *values)):
        own, given = skeleton.get(key), values.get(key)
        if isinstance(own, dict):
            result[key] = filled(own, given or {})
        elif own is not None or given is not None:
            result[key] = own if given is None else given
    return result


def _values(section: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in section:
        key = f"{prefix}{name}"
        yield key, value
        if hasattr(value, "model_fields_set"):
            yield from _values(value, f"{key}.")


def _put(result: Nested, path: tuple[str, ...], value: Any) -> None:
    for step in path[:-1]:
        result = result.setdefault(step, {})
    result[path[-1]] = value
