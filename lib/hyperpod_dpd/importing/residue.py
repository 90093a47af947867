"""What a document's manifest still lacks of the manifest it was imported from, as JSON patch operations."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.importing.arguments import same

WHOLE = frozenset({"resources", "nodeSelector"})
"""Mappings that are patched as one: half of them would not be what either side says."""

_OURS = frozenset({names.MODEL_ANNOTATION})
"""Annotations that an import adds on purpose."""


def residue(made: Any, wanted: Any, path: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Operations that turn ``made`` into ``wanted``; empty when both mean the same."""
    if _alike(made, wanted, path):
        return []
    if isinstance(made, dict) and isinstance(wanted, dict) and not (path and path[-1] in WHOLE):
        return _mapping(made, wanted, path)
    return [{"op": "replace", "path": pointer(path), "value": wanted}]


def pointer(path: tuple[str, ...]) -> str:
    """A JSON pointer."""
    return "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in path)


def _mapping(made: dict[str, Any], wanted: dict[str, Any], path: tuple[str, ...]) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    for key, value in wanted.items():
        if key not in made:
            operations.append({"op": "add", "path": pointer((*path, key)), "value": value})
        else:
            operations += residue(made[key], value, (*path, key))
    for key in made:
        if key not in wanted and not (path == ("metadata", "annotations") and key in _OURS):
            if path == ("metadata",) and key == "annotations" and set(made[key]) <= _OURS:
                continue
            operations.append({"op": "remove", "path": pointer((*path, key))})
    return operations


def _alike(made: Any, wanted: Any, path: tuple[str, ...]) -> bool:
    """Equal, or different only in an order or a spelling that means nothing."""
    if path and path[-1] == "args" and isinstance(made, list) and isinstance(wanted, list):
        return same(made, wanted)
    if path[-1:] == ("environmentVariables",) and isinstance(made, list) and isinstance(wanted, list):
        return _by_name(made) == _by_name(wanted) and len(made) == len(wanted)
    if path and path[-1] == "resources":
        return bool(_quantities(made) == _quantities(wanted))
    return bool(made == wanted) and type(made) is type(wanted)


def _by_name(entries: list[Any]) -> dict[str, Any]:
    return {str(entry.get("name")): entry for entry in entries if isinstance(entry, dict)}


def _quantities(value: Any) -> Any:
    """8 and "8" are one quantity."""
    if isinstance(value, dict):
        return {key: _quantities(each) for key, each in value.items()}
    return str(value)
