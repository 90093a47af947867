"""Say where an unknown field belongs: a slip of the pen, a name from elsewhere, or a field one level off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.manifest_fields import Field
from hyperpod_dpd.iec.advice_table import IN_ROLE, RENAMED, UNDER

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path

_ROLES = frozenset({"prefillSpec", "decodingSpec"})
_LISTED_NAMES = 14

# Names that mean little without their surroundings.
_COMMON_WORDS = (
    "name value key path type enabled port namespace host items mode optional readOnly driver user group"
    " request query spec metadata kind apiVersion operator values server size config"
)
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, slots=True)
class Advice:
    """The end of the sentence about an unknown field, and the instruction."""

    message: str
    fix: str


def advise(parent: Field, at: Path, key: str, tree: Field) -> Advice:
    """Advice about the unknown ``key`` of the mapping at ``at``, whose known fields are those of ``parent``.

    ``tree`` is the whole object, searched for a place where a field of that name exists.
    """
    written = _written(parent, at, key) or _newer(at, key, tree)
    if written:
        return written
    twin = _same_letters(key, parent.fields)
    if twin:
        return Advice(f"did you mean {twin}?", f"Rename {key} to {twin}.")
    elsewhere = _elsewhere(at, key, tree)
    near = _near(key, parent.fields)
    if near and (elsewhere is None or key in _COMMON):
        return Advice(f"did you mean {near}?", f"Rename {key} to {near}.")
    if elsewhere:
        return Advice(f"a field of that name belongs to {elsewhere}.", f"Move {key} to {elsewhere}.{key}.")
    return _list_of(parent, key)


def _written(parent: Field, at: Path, key: str) -> Advice | None:
    """Advice that somebody wrote down for this very slip."""
    names = [part for part in at if isinstance(part, str)]
    last = names[-1] if names else ""
    if last in _ROLES and key in IN_ROLE:
        return Advice(*IN_ROLE[key])
    found = UNDER.get((last, key))
    if found:
        return Advice(*found)
    for name in RENAMED.get(key, ()):
        if name in parent.fields:
            return Advice(f"did you mean {name}?", f"Rename {key} to {name}.")
    return None


def _newer(at: Path, key: str, tree: Field) -> Advice | None:
    """Advice about a field that exists in this very place of a newer form of the resource."""
    node = tree
    for part in (*at, key):
        following = node.item if isinstance(part, int) else node.fields.get(part) or node.item
        if following is None:
            return None
        node = following
    if node.since and node.certain:
        return Advice(
            f"operator release {node.since} brought it.",
            f"Upgrade the operator and its CRD to {node.since} or later, or remove {key}.",
        )
    return Advice(
        "a newer form of the resource has it.", f"Use the newer apiVersion or operator, or remove {key}."
    )


def bare(name: str) -> str:
    """A name without case, hyphens and underscores."""
    return name.lower().replace("-", "").replace("_", "").replace(" ", "")


def _same_letters(key: str, fields: Mapping[str, Field]) -> str | None:
    return next((name for name in fields if bare(name) == bare(key)), None)


def _near(key: str, fields: Mapping[str, Field]) -> str | None:
    from difflib import get_close_matches

    by_bare = {bare(name): name for name in fields}
    found = get_close_matches(bare(key), by_bare, n=1, cutoff=0.75)
    return by_bare[found[0]] if found else None


def _elsewhere(at: Path, key: str, tree: Field) -> str | None:
    """The nearest place in the tree with a field of this name, in the form the user would write it."""
    places = places_of(tree).get(key, ())
    mine = tuple(str(part) for part in at if isinstance(part, str))
    inside_pod = len(mine) > 1 and mine[1] == "kubernetes"
    candidates = [
        place for place in places if inside_pod or place[:2] != ("spec", "kubernetes") or len(place) == 2
    ]
    if key in _COMMON:
        candidates = [place for place in candidates if place[:-1] == mine or place == mine[:-1]]
    if not candidates:
        return None
    best = min(candidates, key=lambda place: (-_shared(place, mine), len(place), place))
    return ".".join(best)


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


@cache
def places_of(tree: Field) -> dict[str, tuple[tuple[str, ...], ...]]:
    """For every field name, the mappings of the tree that have it; list items carry no index."""
    found: dict[str, set[tuple[str, ...]]] = {}
    stack: list[tuple[tuple[str, ...], Field]] = [((), tree)]
    while stack:
        path, node = stack.pop()
        if node.item is not None:
            stack.append((path, node.item))
        for name, child in node.fields.items():
            found.setdefault(name, set()).add(path)
            stack.append(((*path, name), child))
    return {name: tuple(sorted(paths)) for name, paths in found.items()}


def _list_of(parent: Field, key: str) -> Advice:
    names = list(parent.fields)
    if not names:
        return Advice("nothing belongs there.", f"Remove {key}.")
    shown = ", ".join(names[:_LISTED_NAMES]) + (", ..." if len(names) > _LISTED_NAMES else "")
    return Advice(f"known there: {shown}.", f"Remove {key}, or rename it to a field that exists there.")


def closest_word(value: str, words: tuple[str, ...]) -> str | None:
    """The allowed word that ``value`` was probably meant to be."""
    twin = next((word for word in words if bare(word) == bare(value)), None)
    if twin:
        return twin
    from difflib import get_close_matches

    by_bare = {bare(word): word for word in words}
    found = get_close_matches(bare(value), by_bare, n=1, cutoff=0.6)
    return by_bare[found[0]] if found else None
