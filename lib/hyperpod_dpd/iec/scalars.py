"""Compare a single value with its field: type first, then what the field allows."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.iec.advice import closest_word
from hyperpod_dpd.iec.field import INT32_MAX, INT64_MAX, Field, compiled
from hyperpod_dpd.iec.problem import place, shown, sort_of

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.iec.walking import Walk

_WHOLE = re.compile(r"[+-]?[0-9]+")
_PAIR = re.compile(r"[^\s:]+:[^\s:]+")

_NOUNS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "int-or-string": "a whole number or text",
}


def check(walk: Walk, node: Field, value: Any, path: Path) -> None:
    """Compare ``value`` with a field of a scalar type."""
    if not has_type(node, value):
        message, fix = _wrong_type(node, value, path)
        walk.report("wrong-type", path, value, message, fix)
        return
    if node.enum and not any(value == word and type(value) is type(word) for word in node.enum):
        _report_enum(walk, node, value, path)
    if isinstance(value, str):
        _check_text(walk, node, value, path)
    elif not isinstance(value, bool):
        _check_range(walk, node, value, path)


def has_type(node: Field, value: Any) -> bool:
    """Whether the API server takes ``value`` for this field's type (8.0 is a whole number to it)."""
    if isinstance(value, bool):
        return node.type == "boolean"
    if node.type == "string":
        return isinstance(value, str)
    if node.type == "number":
        return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    if node.type == "integer":
        return isinstance(value, int) or (
            isinstance(value, float) and math.isfinite(value) and value.is_integer()
        )
    if node.type == "int-or-string":
        return isinstance(value, int | str)
    return False


def pairs_without_space(text: str) -> list[tuple[str, str]]:
    """``memory:64Gi cpu:"8"``, which YAML reads as one string, as the pairs that were meant; else nothing."""
    words = text.split()
    if not words or not all(_PAIR.fullmatch(word) for word in words) or "://" in text:
        return []
    return [(key, value.strip("\"'")) for key, _, value in (word.partition(":") for word in words)]


def _wrong_type(node: Field, value: Any, path: Path) -> tuple[str, str]:
    wanted = _NOUNS[node.type]
    message = f"{_subject(path)} must be {wanted} but is {sort_of(value)}."
    if isinstance(value, dict) and len(value) == 1 and str(next(iter(value))).startswith("-"):
        key, child = next(iter(value.items()))
        return message, f'Write the flag and its value as two list items: "{key}" and "{_quoted(child)}".'
    if isinstance(value, dict | list):
        return message, f"Write a single value for {place(path)}."
    if node.type == "string" or (node.type == "int-or-string" and isinstance(value, float)):
        return message, f'Write it in quotes: "{_quoted(value)}".'
    if node.type == "integer" and isinstance(value, str) and _WHOLE.fullmatch(value):
        return message, f"Remove the quotes: {value}."
    if node.type == "boolean" and isinstance(value, str) and value.lower() in ("true", "false"):
        return message, f"Remove the quotes: {value.lower()}."
    return message, f"Write {wanted}."


def _quoted(value: Any) -> str:
    """The text that a bare scalar was meant to be; a boolean as Python and vLLM spell it."""
    if isinstance(value, bool | str):
        return str(value)
    return "" if value is None else shown(value)


def _subject(path: Path) -> str:
    return f"The {path[-1]} of {place(path[:-1])}" if path and path[-1] == "value" else place(path)


def _report_enum(walk: Walk, node: Field, value: Any, path: Path) -> None:
    meant = closest_word(value, node.enum) if isinstance(value, str) else None
    allowed = ", ".join(shown(word).strip("'") for word in node.enum)
    hint = f" Did you mean {meant}?" if meant else ""
    fix = f"Write {meant}." if meant else f"Write one of: {allowed}."
    walk.report("enum", path, value, f"{place(path)} is {shown(value)}; allowed are {allowed}.{hint}", fix)


def _check_text(walk: Walk, node: Field, value: str, path: Path) -> None:
    pattern = compiled(node.pattern) if node.pattern else None
    if pattern and not pattern.search(value):
        if node.type == "int-or-string":
            _report_quantity(walk, value, path)
        else:
            allowed = node.meaning or f"text that matches {node.pattern}"
            walk.report(
                "pattern",
                path,
                value,
                f"{place(path)} is {shown(value)}; it must be {allowed}.",
                f"Write {allowed}.",
            )
    for limit, wrong, word in (
        (node.min_length, node.min_length is not None and len(value) < node.min_length, "at least"),
        (node.max_length, node.max_length is not None and len(value) > node.max_length, "at most"),
    ):
        if wrong:
            walk.report(
                "length",
                path,
                value,
                f"{place(path)} has {len(value)} characters ({shown(value)}); {word} {limit} are allowed.",
                f"Write {word} {limit} characters.",
            )


def _report_quantity(walk: Walk, value: str, path: Path) -> None:
    from hyperpod_dpd.iec.quantities import QuantityError, parse_quantity

    reason = f"{shown(value)} is not a quantity. Write a number with an optional unit such as Gi or m."
    try:
        parse_quantity(value)
    except QuantityError as error:
        reason = str(error)
    sentence, _, fix = reason.partition(". ")
    walk.report("pattern", path, value, f"{place(path)}: {sentence}.", fix or "Write a quantity such as 8Gi.")


def _check_range(walk: Walk, node: Field, value: int | float, path: Path) -> None:
    largest = {32: INT32_MAX, 64: INT64_MAX}.get(node.bits or 0)
    if largest is not None and not -largest - 1 <= value <= largest:
        walk.report(
            "maximum",
            path,
            value,
            f"{place(path)} is {shown(value)}, which does not fit in {node.bits} bits (at most {largest}).",
            f"Write a number up to {node.maximum if node.maximum is not None else largest}.",
        )
        return
    if node.minimum is not None and value < node.minimum:
        walk.report(
            "minimum",
            path,
            value,
            f"{place(path)} is {shown(value)}; at least {node.minimum} is allowed.",
            f"Write {node.minimum} or more.",
        )
    if node.maximum is not None and value > node.maximum:
        walk.report(
            "maximum",
            path,
            value,
            f"{place(path)} is {shown(value)}; at most {node.maximum} is allowed.",
            f"Write {node.maximum} or less.",
        )
