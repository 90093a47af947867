"""JSON patches (RFC 6902) of the document's overrides, applied to plain objects."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from hyperpod_dpd.blueprint.apps import PatchPlan


class PatchFault(ValueError):
    """An operation that does not fit the object; ``place`` is its path in the document."""

    def __init__(self, message: str, place: tuple[str | int, ...]) -> None:
        super().__init__(message)
        self.place = place


def patched(item: dict[str, Any], patches: Iterable[PatchPlan]) -> dict[str, Any]:
    """A patched copy, or ``item`` itself when no patch is for it. Raises PatchFault."""
    result = item
    for patch in patches:
        if not patch.is_for(item):
            continue
        result = copy.deepcopy(result)
        for number, operation in enumerate(patch.operations):
            try:
                result = apply(result, operation)
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise PatchFault(
                    f"'{operation['op']}' of {operation['path']} does not fit {patch.title}: {_reason(error)}",
                    (*patch.place, "patch", number),
                ) from None
    return result


def apply(document: Any, operation: Mapping[str, Any]) -> Any:
    """The document after one operation, changed in place. Raises what tells that it does not fit."""
    op, path = operation["op"], _tokens(operation["path"])
    if op in {"add", "replace"}:
        if op == "replace":
            _get(document, path)
        _put(document, path, copy.deepcopy(operation["value"]), insert=op == "add")
    elif op == "remove":
        _drop(document, path)
    elif op == "test":
        found = _get(document, path)
        if found != operation["value"] or isinstance(found, bool) != isinstance(operation["value"], bool):
            raise ValueError(f"it is {found!r}")
    else:
        origin = _tokens(operation["from"])
        value = copy.deepcopy(_get(document, origin))
        if op == "move":
            if path[: len(origin)] == origin and path != origin:
                raise ValueError("nothing can be moved into itself")
            _drop(document, origin)
        _put(document, path, value, insert=True)
    return document


def _tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _step(value: Any, token: str) -> Any:
    if isinstance(value, list):
        return value[_index(token, len(value) - 1)]
    if isinstance(value, dict):
        return value[token]
    raise TypeError(f"'{token}' is looked for in {value!r}")


def _index(token: str, last: int) -> int:
    if not token.isdecimal() or (token != "0" and token.startswith("0")) or int(token) > last:
        raise IndexError(f"the list has no entry '{token}'")
    return int(token)


def _get(value: Any, path: list[str]) -> Any:
    for token in path:
        value = _step(value, token)
    return value


def _put(document: Any, path: list[str], value: Any, *, insert: bool) -> None:
    parent, last = _get(document, path[:-1]), path[-1]
    if isinstance(parent, dict):
        parent[last] = value
    elif isinstance(parent, list):
        if insert:
            parent.insert(len(parent) if last == "-" else _index(last, len(parent)), value)
        else:
            parent[_index(last, len(parent) - 1)] = value
    else:
        raise TypeError(f"'{last}' is put into {parent!r}")


def _drop(document: Any, path: list[str]) -> None:
    parent, last = _get(document, path[:-1]), path[-1]
    if isinstance(parent, list):
        del parent[_index(last, len(parent) - 1)]
    elif isinstance(parent, dict):
        del parent[last]
    else:
        raise TypeError(f"'{last}' is removed from {parent!r}")


def _reason(error: Exception) -> str:
    return f"there is no '{error.args[0]}'" if isinstance(error, KeyError) else str(error)
