"""What cannot pass through JavaScript unchanged is refused here, by its place in the object."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

_LARGEST_EXACT_INTEGER = 2**53 - 1
_PART = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_KEY = re.compile(rf"([a-z0-9]([-a-z0-9.]{{0,251}}[a-z0-9])?/)?{_PART}")
_LABEL = re.compile(rf"({_PART})?")


def refuse_what_javascript_changes(manifest: Mapping[str, Any]) -> None:
    """Raises ValueError naming the first value that would come back changed or missing from cdk8s."""
    metadata = manifest.get("metadata", {})
    name = "/".join(str(metadata[key]) for key in ("namespace", "name") if key in metadata)
    _walk(manifest, f"{manifest.get('kind')} {name}: ")


def refuse_what_no_metadata_holds(manifest: Mapping[str, Any]) -> None:
    """Raises ValueError naming the first label or annotation that the API server would not take."""
    metadata = manifest["metadata"]
    for part in ("labels", "annotations"):
        where = f"{manifest['kind']} {metadata['name']}: metadata.{part}"
        entries = metadata.get(part, {})
        if not isinstance(entries, Mapping):
            raise ValueError(f"{where} is {entries!r}; a mapping of keys to strings is needed")
        for key, value in entries.items():
            if not isinstance(key, str) or not _KEY.fullmatch(key):
                raise ValueError(f"{where}: {key!r} cannot be a key; write it like example.com/team")
            if not isinstance(value, str):
                raise ValueError(f"{where}.{key} is {value!r}; a string is needed, so quote it")
            if part == "labels" and not _LABEL.fullmatch(value):
                raise ValueError(
                    f"{where}.{key} is {value!r}; use at most 63 letters, digits, '-', '_' and '.'"
                )


def _walk(value: Any, where: str) -> None:
    if isinstance(value, bool):
        return
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            raise ValueError(f"{where} is {value!r}, which holds half a character; write it anew")
        return
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ValueError(f"{where}key {key!r} is not text; quote it")
            if key == "__proto__" or key.startswith("$jsii."):
                raise ValueError(f"{where}key {key!r} has a meaning of its own in JavaScript; rename it")
            _walk(item, _join(where, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _walk(item, f"{where}[{index}]")
    elif value is None:
        raise ValueError(f"{where} is empty; leave the key out or give it a value")
    elif isinstance(value, int):
        if abs(value) > _LARGEST_EXACT_INTEGER:
            raise ValueError(
                f"{where} is {value}, beyond the integers that survive rendering; write it as text"
            )
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{where} is {value}; a finite number is needed")
    else:
        raise ValueError(f"{where} is of type {type(value).__name__}, which no manifest can hold")


def _join(where: str, key: str) -> str:
    return f"{where}{key}" if where.endswith(": ") else f"{where}.{key}"
