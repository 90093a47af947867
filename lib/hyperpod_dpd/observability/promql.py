"""Spelling of PromQL, and what a query refers to: needed to write rules, to scale time and to hold the contract."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DURATION = re.compile(r"(?P<lead>\[|:|\boffset )(?P<number>\d+)(?P<unit>ms|s|m|h|d)(?=\]|\s|$|\)|:)")
_MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SELECTOR = re.compile(r"(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)?\s*\{(?P<matchers>[^{}]*)\}")
_MATCHER = re.compile(r"([a-zA-Z_][a-zA-Z0-9_]*)\s*(?:=~|!~|!=|=)")
_GROUPING = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^()]*)\)")
_WORD = re.compile(r"(?<![\w:.])[a-zA-Z_:][a-zA-Z0-9_:]*(?!\s*\()(?![\w:])")
_KEYWORDS = frozenset(
    [
        *("and", "or", "unless", "by", "without", "on", "ignoring", "group_left", "group_right"),
        *("offset", "bool", "inf", "nan", "start", "end"),
    ]
)


def select(name: str, matchers: str = "", *more: str) -> str:
    """A selector; empty matchers leave the braces out."""
    inside = ",".join(part for part in (matchers, *more) if part)
    return f"{name}{{{inside}}}" if inside else name


def number(value: float) -> str:
    """A number that reads back exactly, integers without a point."""
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))


def milliseconds(duration: str) -> int:
    """A Prometheus duration of one unit ("5m"). Raises KeyError or ValueError for others."""
    unit = "ms" if duration.endswith("ms") else duration[-1]
    return int(duration.removesuffix(unit)) * _MILLISECONDS[unit]


def scaled(expression: str, speed: int) -> str:
    """The same query for time that runs ``speed`` times as fast: windows and offsets shrink, nothing else."""
    if speed == 1:
        return expression
    return _DURATION.sub(
        lambda m: f"{m['lead']}{scaled_duration(m['number'] + m['unit'], speed)}", expression
    )


def scaled_duration(duration: str, speed: int) -> str:
    """Prometheus spelling of a duration divided by ``speed``, at least a millisecond."""
    return duration if speed == 1 else f"{max(1, milliseconds(duration) // speed)}ms"


def references(expression: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Each metric name of a query with the labels that its own selector matches on."""
    selectors: list[tuple[str, frozenset[str]]] = []

    def take(match: re.Match[str]) -> str:
        name = match["name"]
        if name:
            selectors.append((name, frozenset(_MATCHER.findall(match["matchers"]))))
        return " 0 "

    rest = _SELECTOR.sub(take, _STRING.sub('""', expression))
    rest = _GROUPING.sub(" ", rest)
    rest = re.sub(r"\[[^\]]*\]|\boffset\s+\w+", " ", rest)
    yield from selectors
    for match in _WORD.finditer(rest):
        if match[0].lower() not in _KEYWORDS:
            yield match[0], frozenset()


def grouping_labels(expression: str) -> frozenset[str]:
    """Every label that the query groups or joins by."""
    found: set[str] = set()
    for match in _GROUPING.finditer(_STRING.sub('""', expression)):
        found |= {label.strip() for label in match[1].split(",") if label.strip()}
    return frozenset(found)
