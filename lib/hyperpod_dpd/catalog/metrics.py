"""Series, labels and bucket bounds that queries may use, and the limits alerts compare them with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from hyperpod_dpd.catalog.data_files import Fact, Source, document, fact, record

_NAME = "metrics"
Evidence = Literal["sampled", "documented", "source"]
_HISTOGRAM = ("_bucket", "_sum", "_count")


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """What exposes a series; `collected` tells whether the collector's labels come on top of its own."""

    name: str
    version: str
    evidence: Evidence
    collected: bool
    labels: tuple[str, ...]
    source: Source
    modes: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One family of series, with the labels that only it has, or has not although its component does."""

    name: str
    component: str
    kind: Literal["counter", "gauge", "histogram"]
    source: Source
    labels: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    evidence: Evidence | None = None
    modes: tuple[str, ...] = ()
    bounds: str | None = None
    unit: str = ""
    suffixed: bool = True
    note: str = ""

    @property
    def exposed(self) -> tuple[str, ...]:
        """Names under which a query finds it."""
        return (
            tuple(self.name + suffix for suffix in _HISTOGRAM) if self.kind == "histogram" else (self.name,)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BurnRate:
    """A pair of windows (PromQL durations) and the multiple of the error budget both must burn."""

    long: str
    short: str
    factor: float
    severity: Literal["critical", "warning"]
    source: Source


@cache
def components() -> dict[str, Component]:
    """Every component by name."""
    return {
        name: record(Component, _NAME, {**entry, "name": name})
        for name, entry in document(_NAME)["components"].items()
    }


@cache
def all() -> tuple[Series, ...]:
    """Every family of series."""
    return tuple(
        record(Series, _NAME, {**entry, "name": name}) for name, entry in document(_NAME)["series"].items()
    )


def evidence(series: Series) -> Evidence:
    """How we know of a series: its own, or its component's."""
    return series.evidence or components()[series.component].evidence


def modes(series: Series) -> tuple[str, ...]:
    """Which kinds of process were recorded with a sample of it."""
    return series.modes or components()[series.component].modes


def own_labels(series: Series) -> frozenset[str]:
    """Labels that its process prints, without those a collector adds."""
    return frozenset({*components()[series.component].labels, *series.labels} - {*series.without})


@cache
def exposed() -> dict[str, frozenset[str]]:
    """Each name a query may use, with the labels it may use on it; a name of source code alone is none."""
    parts = components()
    found: dict[str, frozenset[str]] = {}
    for series in all():
        if evidence(series) == "source":
            continue
        component = parts[series.component]
        labels = set(own_labels(series))
        if component.collected:
            labels |= set(parts["collector"].labels)
        for name in series.exposed:
            found[name] = frozenset(labels | ({"le"} if name.endswith("_bucket") else set()))
    return found


@cache
def bounds(series: str, *, longest_tokens: int | None = None) -> tuple[float, ...]:
    """Upper bounds of a histogram's buckets, rising, without infinity.

    vLLM's token histograms end at the longest sequence, ``longest_tokens``. Raises KeyError for a series
    that is no histogram and ValueError for a token histogram without ``longest_tokens``.
    """
    found = next(entry for entry in all() if entry.name == series)
    if found.bounds is None:
        raise KeyError(series)
    values: tuple[float, ...] = fact(_NAME, document(_NAME)["bounds"][found.bounds]).value
    if found.bounds == "store_put_time":
        first, factor, number = values
        return tuple(first * factor**power for power in range(int(number)))
    if found.bounds != "one_two_five":
        return values
    if longest_tokens is None:
        raise ValueError(f"{series}: its bounds depend on the longest sequence")
    steps = (step * 10.0**power for power in range(len(str(longest_tokens))) for step in values)
    return tuple(step for step in steps if step <= longest_tokens)


def bounds_fact(series: str) -> Fact:
    """The bounds as catalogued, with source and whether they are confirmed."""
    found = next(entry for entry in all() if entry.name == series)
    return fact(_NAME, document(_NAME)["bounds"][found.bounds])


@cache
def limit(name: str) -> float:
    """A limit of an alert by name. Raises KeyError."""
    value = fact(_NAME, document(_NAME)["limits"][name]).value
    return float(value)


@cache
def burn_rates() -> tuple[BurnRate, ...]:
    """The windows of multi-window burn-rate alerts, fastest first."""
    return tuple(
        record(BurnRate, _NAME, {**entry, "factor": float(entry["factor"])})
        for entry in document(_NAME)["burn_rates"]
    )


def image(name: str) -> str:
    """A stock container image that our own workloads run on."""
    value: str = fact(_NAME, document(_NAME)["images"][name]).value
    return value


def value(name: str) -> Fact:
    """A fact about the services that keep and show metrics (grafana_version). Raises KeyError."""
    return fact(_NAME, document(_NAME)["values"][name])
