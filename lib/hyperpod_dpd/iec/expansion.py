"""``$(NAME)`` in arguments and variables as the kubelet expands it; what cannot be resolved is not known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_REFERENCE = re.compile(r"\$\$|\$\(([^)]*)\)")


def expand(text: str, values: Mapping[str, str | None]) -> str | None:
    """The text with its references filled in and ``$$`` as one dollar; None where one of them is not known.

    A name that nobody defines stays as it is in Kubernetes; here it is not known, as the operator defines more
    variables than the manifest shows.
    """
    unknown = False

    def filled(match: re.Match[str]) -> str:
        nonlocal unknown
        if match[1] is None:
            return "$"
        value = values.get(match[1])
        unknown = unknown or value is None
        return value or ""

    expanded = _REFERENCE.sub(filled, text)
    return None if unknown else expanded


def expand_items(items: Any, values: Mapping[str, str | None]) -> Any:
    """A list of arguments with what can be resolved filled in; an item that cannot stays as it is written."""
    if not isinstance(items, list):
        return items
    return [_item(item, values) if isinstance(item, str) and "$" in item else item for item in items]


def _item(item: str, values: Mapping[str, str | None]) -> str:
    expanded = expand(item, values)
    return item if expanded is None else expanded
