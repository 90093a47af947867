"""What a panel asks, as a small tree: spelled as PromQL for Grafana, answered from a recording for the preview."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol

from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.scenarios.recording import STEP_SECONDS, Recording

WINDOW = "$__rate_interval"
BEFORE = "$before"
_WINDOW_STEPS = 10
BEFORE_STEPS = 60
_MATCHER = re.compile(r'(\w+)(=~|!=|=)"((?:[^"\\]|\\.)*)"')
_NAME = re.compile(r"([^{]+)(?:\{(.*)\})?")

_COMBINE: Mapping[str, Callable[[list[float]], float]] = {
    "sum": sum,
    "max": max,
    "count": len,
    "avg": lambda values: sum(values) / len(values),
}

Answer = Mapping[tuple[str, ...], float]
"""Value by the values of the labels that the query groups by."""


class Query(Protocol):
    """One question."""

    def promql(self) -> str:
        """The spelling for Grafana, with its variables."""

    def answer(self, recording: Recording, step: int) -> Answer:
        """Values at a step of a recording; empty where it has none."""


@dataclass(frozen=True, slots=True)
class Now:
    """Gauges, put together over all series of the same ``by``."""

    name: str
    matchers: str = ""
    by: tuple[str, ...] = ()
    how: Literal["sum", "max", "avg", "count"] = "sum"

    def promql(self) -> str:
        return f"{_grouped(self.how, self.by)} ({select(self.name, self.matchers)})"

    def answer(self, recording: Recording, step: int) -> Answer:
        groups: dict[tuple[str, ...], list[float]] = {}
        for labels, values in _matching(recording, self.name, self.matchers):
            value = values[step]
            if value is not None:
                groups.setdefault(tuple(labels.get(by, "") for by in self.by), []).append(value)
        return {key: _COMBINE[self.how](values) for key, values in groups.items()}


@dataclass(frozen=True, slots=True)
class Rate:
    """Growth per second of counters, summed; ``before`` asks for the same a while ago."""

    name: str
    matchers: str = ""
    by: tuple[str, ...] = ()
    before: bool = False

    def promql(self) -> str:
        offset = f" offset {BEFORE}" if self.before else ""
        return f"{_grouped('sum', self.by)} (rate({select(self.name, self.matchers)}[{WINDOW}]{offset}))"

    def answer(self, recording: Recording, step: int) -> Answer:
        at = step - BEFORE_STEPS if self.before else step
        found: dict[tuple[str, ...], float] = {}
        for labels, values in _matching(recording, self.name, self.matchers):
            grown = _growth(values, at)
            if grown is not None:
                key = tuple(labels.get(by, "") for by in self.by)
                found[key] = found.get(key, 0.0) + grown
        return found


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile of a histogram, interpolated inside its bucket as Prometheus does."""

    share: float
    name: str
    matchers: str = ""
    before: bool = False

    def promql(self) -> str:
        buckets = Rate(f"{self.name}_bucket", self.matchers, ("le",), self.before).promql()
        return f"histogram_quantile({number(self.share)}, {buckets})"

    def answer(self, recording: Recording, step: int) -> Answer:
        rates = Rate(f"{self.name}_bucket", self.matchers, ("le",), self.before).answer(recording, step)
        counts = sorted((float(le.replace("+Inf", "inf")), value) for (le,), value in rates.items())
        if not counts or not counts[-1][1]:
            return {}
        rank = self.share * counts[-1][1]
        low, below = 0.0, 0.0
        for bound, count in counts:
            if count >= rank:
                if math.isinf(bound):
                    return {(): low}
                return {(): low + (bound - low) * (rank - below) / max(count - below, 1e-12)}
            low, below = bound, count
        return {}


@dataclass(frozen=True, slots=True)
class Over:
    """One query divided by another, nothing where that is zero."""

    above: Query
    below: Query

    def promql(self) -> str:
        return f"{self.above.promql()} / ({self.below.promql()} > 0)"

    def answer(self, recording: Recording, step: int) -> Answer:
        below = self.below.answer(recording, step)
        return {k: v / below[k] for k, v in self.above.answer(recording, step).items() if below.get(k)}


@dataclass(frozen=True, slots=True)
class Times:
    """A query times a number."""

    factor: float
    query: Query

    def promql(self) -> str:
        return f"{number(self.factor)} * {self.query.promql()}"

    def answer(self, recording: Recording, step: int) -> Answer:
        return {key: self.factor * value for key, value in self.query.answer(recording, step).items()}


@dataclass(frozen=True, slots=True)
class Least:
    """The smallest of a query's values."""

    query: Query

    def promql(self) -> str:
        return f"min ({self.query.promql()})"

    def answer(self, recording: Recording, step: int) -> Answer:
        values = self.query.answer(recording, step).values()
        return {(): min(values)} if values else {}


@dataclass(frozen=True, slots=True)
class Plus:
    """Two queries added; what only one side knows counts as zero on the other."""

    one: Query
    other: Query

    def promql(self) -> str:
        return f"(({self.one.promql()} or vector(0)) + ({self.other.promql()} or vector(0)))"

    def answer(self, recording: Recording, step: int) -> Answer:
        one, other = self.one.answer(recording, step), self.other.answer(recording, step)
        return {key: one.get(key, 0.0) + other.get(key, 0.0) for key in {*one, *other}}


def _grouped(how: str, by: Sequence[str]) -> str:
    return f"{how} by ({', '.join(by)})" if by else how


def _growth(values: Sequence[float | None], at: int) -> float | None:
    if at < _WINDOW_STEPS:
        return None
    first, last = values[at - _WINDOW_STEPS], values[at]
    if first is None or last is None:
        return None
    return max(0.0, last - first) / (_WINDOW_STEPS * STEP_SECONDS)


def _matching(
    recording: Recording, name: str, matchers: str
) -> list[tuple[dict[str, str], Sequence[float | None]]]:
    wanted = _MATCHER.findall(matchers)
    found: list[tuple[dict[str, str], Sequence[float | None]]] = []
    for key, values in recording.values.items():
        series, labels = _parsed(key)
        if series == name and all(_holds(labels.get(label, ""), *rest) for label, *rest in wanted):
            found.append((labels, values))
    return found


def _holds(value: str, operator: str, wanted: str) -> bool:
    if operator == "=~":
        return re.fullmatch(wanted, value) is not None
    return (value == wanted) == (operator == "=")


@cache
def _parsed(key: str) -> tuple[str, dict[str, str]]:
    match = _NAME.fullmatch(key)
    assert match is not None
    return match[1], {label: value for label, _, value in _MATCHER.findall(match[2] or "")}
