"""JSON patches (RFC 6902) of the document's overrides, applied to plain objects."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from hyperpod_dpd.blueprint.apps import PatchPlan


class PatchFault(ValueError):
    """An operation that does not fit the object; ``place`` is its path in the document."""

    def __init__(self, message: str, place: tuple[str | int, ...] = ()) -> None:
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
            except PatchFault as fault:
                raise PatchFault(
                    f"'{operation['op']}' of {operation['path']} does not fit {patch.title}: {fault}",
                    (*patch.place, "patch", number),
                ) from None
    return result


def apply(document: Any, operation: Mapping[str, Any]) -> Any:
    """The document after one operation, changed in place. Raises PatchFault, without a place."""
    import jsonpatch  # few documents have overrides, and every `dpd check` would pay for it

    try:
        return jsonpatch.JsonPatch([copy.deepcopy(dict(operation))]).apply(document, in_place=True)
    except jsonpatch.JsonPatchTestFailed:
        found = jsonpatch.JsonPointer(operation["path"]).resolve(document, None)
        raise PatchFault(f"it is {found!r}") from None
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException) as error:
        # The library ends some messages with the whole object that it looked into.
        reason = str(error).partition(" in {")[0]
        raise PatchFault(f"there is no {reason}" if reason.startswith("'") else reason) from None
