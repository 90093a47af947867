"""What a faulty document was meant to say, where that is sure: so its other faults show in the same run."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from hyperpod_dpd.document import Document, Path


@dataclass(frozen=True, slots=True)
class Mend:
    """One repair: ``set`` the value at ``path``, ``rename`` its key to ``to``, or ``remove`` the key."""

    act: Literal["set", "rename", "remove"]
    path: Path
    to: Any = None


def mended(document: Document, mends: Iterable[Mend]) -> Document:
    """The document with every repair that fits it; places stay those of the user's text."""
    value = copy.deepcopy(document.value)
    tables = document.values.copy(), document.keys.copy(), document.sources.copy()
    for mend in sorted(mends, key=lambda each: -len(each.path)):
        _apply(value, mend)
        if mend.act == "rename":
            for table in tables:
                _follow(table, mend)
    values, keys, sources = tables
    return replace(document, value=value, values=values, keys=keys, sources=sources)


def _follow(table: dict[Path, Any], mend: Mend) -> None:
    """What stood below the old key is found below the new one too."""
    depth = len(mend.path)
    for path in [path for path in table if path[:depth] == mend.path]:
        table.setdefault((*mend.path[:-1], mend.to, *path[depth:]), table[path])


def _apply(value: Any, mend: Mend) -> None:
    *way, last = mend.path
    try:
        for part in way:
            value = value[part]
        if mend.act == "set":
            value[last] = mend.to
        elif mend.act == "remove":
            del value[last]
        elif mend.to not in value:
            value[mend.to] = value.pop(last)
        else:
            del value[last]
    except (KeyError, IndexError, TypeError):
        return  # an outer repair has changed the place
