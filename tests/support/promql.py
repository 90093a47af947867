"""What a query refers to, and the same query for time that runs faster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hyperpod_dpd.observability.promql import milliseconds

_DURATION = re.compile(r"(?P<lead>\[|:|\boffset )(?P<number>\d+)(?P<unit>ms|s|m|h|d)(?=\]|\s|$|\)|:)")
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


def scaled(expression: str, speed: int) -> str:
    """The same query for time that runs ``speed`` times as fast: windows and offsets shrink, nothing else."""
    return _DURATION.sub(
        lambda m: f"{m['lead']}{scaled_duration(m['number'] + m['unit'], speed)}", expression
    )


def scaled_duration(duration: str, speed: int) -> str:
    """Prometheus spelling of a duration divided by ``speed``, at least a millisecond."""
    return f"{max(1, milliseconds(duration) // speed)}ms"


def sped_up(rendered: Any, speed: int) -> Any:
    """A rendered rule file for time that runs ``speed`` times as fast."""
    groups = []
    for group in rendered["groups"]:
        rules = [
            {
                **rule,
                "expr": scaled(rule["expr"], speed),
                **({"for": scaled_duration(rule["for"], speed)} if "for" in rule else {}),
            }
            for rule in group["rules"]
        ]
        groups.append({**group, "interval": scaled_duration(group["interval"], speed), "rules": rules})
    return {"groups": groups}


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
