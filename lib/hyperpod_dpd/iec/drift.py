"""Show where a user's own CRD and our fields differ, both ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog.manifest_fields import QUANTITY_PATTERN, Field, root, walk
from hyperpod_dpd.iec.crd import crd_tree
from hyperpod_dpd.iec.identity import GROUP, OLD_API_VERSION
from hyperpod_dpd.iec.problem import place
from hyperpod_dpd.iec.releases import is_newer, release_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hyperpod_dpd.document import Path

_COMPARED = (
    "type",
    "enum",
    "pattern",
    "minimum",
    "maximum",
    "min_length",
    "max_length",
    "min_items",
    "max_items",
    "default",
    "distinct",
    "unique",
    "bits",
    "nullable",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """One difference between a CRD and our fields.

    ``kind`` is only-in-crd, only-ours, required, not-evaluated (a rule of the CRD that we cannot run) or the
    name of what differs (type, enum, pattern, minimum, ...). ``path`` has "[]" for list items and "{}" for
    map values.
    """

    kind: str
    path: Path
    ours: Any
    theirs: Any
    message: str


def drift(crd: Any, *, version: str = "v1", release: str | None = None) -> list[Drift]:
    """Where the CRD and our fields differ. Raises NotThisCrd.

    ``release`` limits ours to the fields that this operator release has; without it, fields that the CRD
    lacks because it is older are listed too, with the release that brings them.
    """
    ours = root("v1alpha1") if f"{GROUP}/{version}" == OLD_API_VERSION else root()
    theirs = crd_tree(crd, version)
    return list(_compare(ours, theirs, (), release))


def _compare(ours: Field, theirs: Field, path: Path, release: str | None) -> Iterator[Drift]:
    for word, rule in theirs.other.items():
        yield Drift(
            kind="not-evaluated",
            path=path,
            ours=None,
            theirs={word: rule},
            message=f"{place(path)} has a rule '{word}' in the CRD that is not evaluated here.",
        )
    if ours.type == "opaque":
        return
    for name in _COMPARED:
        mine, other = getattr(ours, name), getattr(theirs, name)
        if _plain(name, mine) != _plain(name, other):
            yield Drift(
                kind=name,
                path=path,
                ours=mine,
                theirs=other,
                message=f"{place(path)}: {name} is {other!r} in the CRD and {mine!r} in our fields.",
            )
    if set(ours.required) != set(theirs.required):
        yield Drift(
            kind="required",
            path=path,
            ours=ours.required,
            theirs=theirs.required,
            message=(
                f"{place(path)} requires {sorted(theirs.required)} in the CRD and"
                f" {sorted(ours.required)} in our fields."
            ),
        )
    if ours.item and theirs.item:
        step = "[]" if ours.type == "list" else "{}"
        yield from _compare(ours.item, theirs.item, (*path, step), release)
    yield from _compare_fields(ours, theirs, path, release)


def _compare_fields(ours: Field, theirs: Field, path: Path, release: str | None) -> Iterator[Drift]:
    for name, child in theirs.fields.items():
        at = (*path, name)
        if name not in ours.fields:
            yield Drift(
                kind="only-in-crd",
                path=at,
                ours=None,
                theirs=child.type,
                message=f"{place(at)} exists in the CRD and is unknown to us.",
            )
        else:
            yield from _compare(ours.fields[name], child, at, release)
    for name, child in ours.fields.items():
        if name in theirs.fields or theirs.type != "object" or is_newer(child, release):
            continue
        at = (*path, name)
        when = f", which operator release {child.since} brought" if child.since and child.certain else ""
        yield Drift(
            kind="only-ours",
            path=at,
            ours=child.since or True,
            theirs=None,
            message=f"{place(at)} is known to us{when} and missing from the CRD.",
        )


def _plain(name: str, value: Any) -> Any:
    """Two ways to write one thing compared as equal."""
    if name == "pattern" and value == QUANTITY_PATTERN:
        return "quantity"
    if name in ("enum", "distinct"):
        return tuple(value)
    return value


def least_release(crd: Any) -> str | None:
    """The newest documented operator release of which the CRD has every field; None when it has not even the
    oldest.

    A CRD carries no operator version, so this is a lower bound read from its fields. Raises NotThisCrd.
    """
    missing = {problem.path for problem in drift(crd) if problem.kind == "only-ours"}
    documented = {path: node.since for path, node in walk() if node.since and node.certain}
    reached = None
    for release in sorted(set(documented.values()), key=release_number):
        if any(since == release and path in missing for path, since in documented.items()):
            break
        reached = release
    return reached
