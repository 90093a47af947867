"""Compare a single value with its field: type first, then what the field allows."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog.manifest_fields import Field
from hyperpod_dpd.iec.advice import closest_word
from hyperpod_dpd.iec.problem import SchemaProblem, place, shown, sort_of
from hyperpod_dpd.iec.quantities import QuantityError, parse_quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hyperpod_dpd.document import Path

_WHOLE = re.compile(r"[+-]?[0-9]+")
_PAIR = re.compile(r"[^\s:]+:[^\s:]+")

_NOUNS = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "int-or-string": "a whole number or a string",
}


def scalar_problems(node: Field, value: Any, path: Path) -> Iterator[SchemaProblem]:
    """What is wrong with ``value`` in a field of a scalar type."""
    if _beyond_64_bits(node, value):
        yield _problem(
            "maximum",
            path,
            value,
            f"{place(path)} has {len(str(abs(value)))} digits; the API server reads whole numbers of 64 bits.",
            f"Write a number up to {2**63 - 1}.",
        )
        return
    if not has_type(node, value):
        message, fix = _wrong_type(node, value, path)
        yield _problem("wrong-type", path, value, message, fix)
        return
    if node.enum and not any(value == word and type(value) is type(word) for word in node.enum):
        yield _enum_problem(node, value, path)
    if isinstance(value, str):
        yield from _string_problems(node, value, path)
    elif not isinstance(value, bool):
        yield from _range_problems(node, value, path)


def _beyond_64_bits(node: Field, value: Any) -> bool:
    """Whether a whole number is larger than JSON's are read: it would become a fraction, which the field refuses."""
    if node.type not in ("integer", "int-or-string") or not isinstance(value, int):
        return False
    return not -(2**63) <= value < 2**63 and not (node.bits and node.bits < 64)


def _problem(kind: str, path: Path, value: Any, message: str, fix: str) -> SchemaProblem:
    return SchemaProblem(kind=kind, path=path, value=value, message=message, fix=fix)


@cache
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """``pattern`` as the API server reads it (Go syntax, where ``$`` is the very end); None if not
    expressible.
    """
    anchored = re.sub(r"(?<!\\)\$", r"\\Z", pattern)
    try:
        return re.compile(anchored)
    except re.error:
        return None


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


def _enum_problem(node: Field, value: Any, path: Path) -> SchemaProblem:
    meant = closest_word(value, node.enum) if isinstance(value, str) else None
    allowed = ", ".join(shown(word).strip("'") for word in node.enum)
    hint = f" Did you mean {meant}?" if meant else ""
    fix = f"Write {meant}." if meant else f"Write one of: {allowed}."
    return _problem(
        "enum", path, value, f"{place(path)} is {shown(value)}; allowed are {allowed}.{hint}", fix
    )


def _string_problems(node: Field, value: str, path: Path) -> Iterator[SchemaProblem]:
    pattern = _compiled(node.pattern) if node.pattern else None
    if pattern and not pattern.search(value):
        if node.type == "int-or-string":
            yield _quantity_problem(value, path)
        else:
            allowed = node.means or f"a string that matches {node.pattern}"
            yield _problem(
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
            yield _problem(
                "length",
                path,
                value,
                f"{place(path)} has {len(value)} characters ({shown(value)}); {word} {limit} are allowed.",
                f"Write {word} {limit} characters.",
            )


def _quantity_problem(value: str, path: Path) -> SchemaProblem:
    reason = f"{shown(value)} is not a quantity. Write a number with an optional unit such as Gi or m."
    try:
        parse_quantity(value)
    except QuantityError as error:
        reason = str(error)
    sentence, _, fix = reason.partition(". ")
    return _problem(
        "pattern", path, value, f"{place(path)}: {sentence}.", fix or "Write a quantity such as 8Gi."
    )


def _range_problems(node: Field, value: int | float, path: Path) -> Iterator[SchemaProblem]:
    largest = 2 ** (node.bits - 1) - 1 if node.bits else None
    if largest is not None and not -largest - 1 <= value <= largest:
        yield _problem(
            "maximum",
            path,
            value,
            f"{place(path)} is {shown(value)}, which does not fit in {node.bits} bits (at most {largest}).",
            f"Write a number up to {node.maximum if node.maximum is not None else largest}.",
        )
        return
    if node.minimum is not None and value < node.minimum:
        yield _problem(
            "minimum",
            path,
            value,
            f"{place(path)} is {shown(value)}; at least {node.minimum} is allowed.",
            f"Write {node.minimum} or more.",
        )
    if node.maximum is not None and value > node.maximum:
        yield _problem(
            "maximum",
            path,
            value,
            f"{place(path)} is {shown(value)}; at most {node.maximum} is allowed.",
            f"Write {node.maximum} or less.",
        )
