"""The small language of a runbook: ``@{field}``, and blocks on lines of their own.

``@for KIND`` ... ``@end`` repeats for each item of a list; ``@if FIELD`` / ``@if not FIELD`` ... ``@end`` keeps
its lines where the field is set. Shell text needs no escaping: only ``@{`` and lines that begin with ``@for``,
``@if`` or ``@end`` mean something.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_FIELD = re.compile(r"@\{([a-z][a-z0-9_]*)\}")
_BLOCK = re.compile(r"@(for|if|end)(?:\s+(not\s+)?([a-z][a-z0-9_]*))?\s*")


class TemplateFault(ValueError):
    """A runbook's text is wrong; says where and what."""


def fill(text: str, fields: Mapping[str, Any], *, name: str) -> str:
    """``text`` with every field filled in. Raises TemplateFault for an unknown field or an open block."""
    lines = text.splitlines(keepends=True)
    result, end = _lines(lines, 0, fields, name, depth=0)
    if end != len(lines):
        raise TemplateFault(f"{name}:{end + 1}: '@end' closes nothing")
    return "".join(result)


def _lines(
    lines: Sequence[str], start: int, fields: Mapping[str, Any], name: str, *, depth: int
) -> tuple[list[str], int]:
    """Filled lines from ``start`` to the end of this block, and the number of the line that ends it."""
    result: list[str] = []
    number = start
    while number < len(lines):
        block = _BLOCK.fullmatch(lines[number])
        if block is None:
            result.append(_line(lines[number], fields, f"{name}:{number + 1}"))
            number += 1
            continue
        if block[1] == "end":
            if not depth:
                raise TemplateFault(f"{name}:{number + 1}: '@end' closes nothing")
            return result, number
        end = number
        for scope in _scopes(block, fields, f"{name}:{number + 1}"):
            inner, end = _lines(lines, number + 1, scope, name, depth=depth + 1)
            result += inner
        if end == number:
            end = _skip(lines, number, name)
        number = end + 1
    if depth:
        raise TemplateFault(f"{name}: a block is not closed with '@end'")
    return result, number


def _scopes(block: re.Match[str], fields: Mapping[str, Any], place: str) -> list[Mapping[str, Any]]:
    """The fields of each repetition of a block; none to leave it out."""
    value = _value(block[3] or "", fields, place)
    if block[1] == "if":
        return [fields] if bool(value) != bool(block[2]) else []
    return [{**fields, **item} for item in value]


def _skip(lines: Sequence[str], start: int, name: str) -> int:
    depth = 0
    for number in range(start, len(lines)):
        block = _BLOCK.fullmatch(lines[number])
        if block:
            depth += -1 if block[1] == "end" else 1
            if not depth:
                return number
    raise TemplateFault(f"{name}: a block is not closed with '@end'")


def _line(line: str, fields: Mapping[str, Any], place: str) -> str:
    return _FIELD.sub(lambda match: str(_value(match[1], fields, place)), line)


def _value(field: str, fields: Mapping[str, Any], place: str) -> Any:
    if field not in fields:
        from difflib import get_close_matches

        close = get_close_matches(field, fields, n=1)
        raise TemplateFault(f"{place}: there is no field '{field}'" + (f"; '{close[0]}'?" if close else ""))
    return fields[field]
