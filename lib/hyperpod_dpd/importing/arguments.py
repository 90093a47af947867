"""vLLM argument lists as the mappings that a document holds."""

from __future__ import annotations

from typing import Any

from hyperpod_dpd.iec.argument_reading import parse_arguments


def as_mapping(args: list[str]) -> dict[str, Any] | None:
    """Flag without dashes to value, in order; None where a mapping cannot say what the list says."""
    parsed = parse_arguments(args, ())
    if parsed.command or len(parsed.flags) != len(parsed.items):
        return None
    result: dict[str, Any] = {}
    for item in parsed:
        spelled = item.spelled.removeprefix("--")
        if item.style == "alone" and item.spelled.startswith("--"):
            result[spelled] = True
        elif item.style == "separate" and len(item.values) == 1 and item.spelled.startswith("--"):
            result[spelled] = _value(item.values[0])
        else:
            return None
    return result


def same(one: list[str], other: list[str]) -> bool:
    """Whether two lists hold the same arguments in the same spelling, in any order."""
    if one == other:
        return True
    first, second = (parse_arguments(args, ()) for args in (one, other))
    if first.command or second.command or len(first.flags) != len(first.items):
        return False
    return sorted(item.tokens() for item in first) == sorted(item.tokens() for item in second)


def _value(text: str) -> Any:
    """A number where it is written back as the same text."""
    for kind in (int, float):
        try:
            if str(kind(text)) == text:
                return kind(text)
        except ValueError:
            continue
    return text
