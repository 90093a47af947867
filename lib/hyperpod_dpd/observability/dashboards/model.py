"""Boards, rows and panels as data: each panel with unit, description, drawn limits and its runbook."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from hyperpod_dpd.observability.dashboards.queries import Query

Unit = Literal["s", "Bps", "percentunit", "short", "reqps", "bytes", "percent", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One query and how its lines are called; {{label}} is filled in."""

    query: Query
    legend: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A drawn threshold: worse lies above it, or below."""

    value: float
    worse: Literal["above", "below"] = "above"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One plot; ``runbook`` names the alert that watches it, ``axis`` says what a bare number counts."""

    title: str
    description: str
    unit: Unit
    lines: tuple[Line, ...]
    runbook: str
    limit: Limit | None = None
    axis: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Panels that belong together."""

    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One dashboard of one endpoint; ``compares`` gives it the variable that says what before means."""

    key: str
    title: str
    description: str
    endpoint: str
    rows: tuple[Row, ...]
    compares: bool = field(default=False)

    @property
    def panels(self) -> tuple[Panel, ...]:
        return tuple(panel for row in self.rows for panel in row.panels)
