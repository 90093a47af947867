"""Texts of LMCache's variables as LMCache itself reads them, and which of the catalogue's cases they make."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.lmcache_settings import Case, Setting

_ON = frozenset({"true", "1"})
_QUOTES = ("'", '"')
_OF = {"whole": int, "number": float, "wholes": int, "numbers": float}


class Unreadable(ValueError):
    """A text of which LMCache makes nothing: the setting is then empty, its default gone."""


def unquoted(text: str) -> str:
    """Without blanks around it, and without one pair of quotation marks."""
    text = text.strip()
    if len(text) < 2 or text[0] != text[-1] or text[0] not in _QUOTES:
        return text
    try:
        inner = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text[1:-1]
    return inner if isinstance(inner, str) else text


def is_on(text: str) -> bool:
    """Only "true" and "1" switch on, in any case and in quotes too; every other text, "yes" among them, is off."""
    return unquoted(text).strip().lower() in _ON


def words(text: str) -> tuple[str, ...]:
    """A list of names: split at commas, never parsed as JSON."""
    return tuple(part.strip() for part in unquoted(text).split(",") if part.strip())


def read(setting: Setting, text: str) -> Any:
    """The value that LMCache works with. Raises Unreadable where it makes nothing of the text."""
    if setting.reads == "switch":
        return is_on(text)
    plain = unquoted(text)
    if setting.reads == "words":
        return words(text)
    try:
        if setting.reads in ("whole", "number"):
            return _OF[setting.reads](plain)
        if setting.reads in ("wholes", "numbers"):
            return tuple(_OF[setting.reads](part) for part in words(text))
        if setting.reads == "json":
            return json.loads(plain) if plain else None
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    return plain


def holds(case: Case, value: Any) -> bool:
    """Whether a value as read makes the case."""
    return bool(_CONDITIONS[case.condition](case, value))


def holds_for_any(setting: Setting) -> Case | None:
    """The first case that a value makes whatever it is, such as one out of a Secret."""
    return next((case for case in setting.cases if case.condition == "set"), None)


def _above(case: Case, value: Any) -> bool:
    return bool(value > case.operand and (case.up_to is None or value <= case.up_to))


def _other_than(case: Case, value: Any) -> bool:
    allowed = [name.upper() for name in case.operand] if case.any_case else case.operand
    return (value.upper() if case.any_case else value) not in allowed


def _keys(case: Case, value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return bool(value) if case.operand == "any" else any(value.get(key) for key in case.operand)


_CONDITIONS: dict[str, Any] = {
    "set": lambda case, value: True,
    "text": lambda case, value: bool(value),
    "switched_on": lambda case, value: value is True,
    "above": _above,
    "below": lambda case, value: value < case.operand,
    "other_than": _other_than,
    "not_within": lambda case, value: case.operand not in value,
    "unlike": lambda case, value: value is not None and not isinstance(value, dict),
    "keys": _keys,
}
