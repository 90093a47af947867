"""What a check of the manifest's shape finds, in the user's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hyperpod_dpd.document import Path

LONGEST_VALUE = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaProblem:
    """One fault of the manifest's shape.

    ``kind`` is one of unknown-field, wrong-type, missing, pattern, enum, minimum, maximum, length,
    item-count, duplicate-key-entry, newer-release, unexpanded-variable, placeholder, wrong-api-version,
    wrong-kind, not-kubernetes or, for a user's own CRD, schema. ``path`` is where it stands (of a missing
    field: where it would stand); ``also`` are further places of the same fault. ``refused`` says whether the
    API server, validating strictly, refuses the manifest for it: a placeholder in a field that takes any string
    passes there unnoticed.
    """

    kind: str
    path: Path
    value: Any
    message: str
    fix: str
    also: tuple[Path, ...] = ()
    refused: bool = True


def shown(value: Any) -> str:
    """A value in a message: strings in quotes, the rest as YAML would write it, cut when long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, int | float):
        return repr(value) if value == value or isinstance(value, int) else ".nan"
    if isinstance(value, str):
        flat = " ".join(value.split()) or value
        return f"'{flat}'" if len(flat) <= LONGEST_VALUE else f"'{flat[: LONGEST_VALUE - 3]}...'"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "a mapping"
    return f"a {type(value).__name__}"


def sort_of(value: Any) -> str:
    """What a value is, as a noun."""
    if isinstance(value, bool):
        return f"the boolean {shown(value)}"
    if isinstance(value, int | float):
        return f"the number {shown(value)}"
    if isinstance(value, str):
        return f"the string {shown(value)}"
    return shown(value)


def joined(words: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def place(path: Path) -> str:
    """A path in a message; the whole document when it is empty."""
    from hyperpod_dpd.document import dotted

    plain = tuple(part if isinstance(part, str) or type(part) is int else shown(part) for part in path)
    return dotted(plain) or "the document"
