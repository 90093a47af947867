"""What is watched, as plain data: recording rules, alerts with their own test cases, groups of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["critical", "warning"]
Samples = Mapping[str, str]
"""Series in exposition spelling to promtool's notation of values, one value every ``step``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Series that make an alert fire, or nearly.

    ``at`` is the time of the question, ``labels`` what the alert carries then besides the endpoint's own.

    ``fires`` False is a near miss: as close to the limit as the healthy side gets.
    """

    name: str
    fires: bool
    at: str
    series: Samples
    labels: tuple[Mapping[str, str], ...] = ({},)
    step: str = "30s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A query evaluated once and used by several alerts and panels."""

    record: str
    expr: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One alert: when it fires, how long that must hold, and what the person it wakes reads first.

    ``first_command`` may hold fields of runbooks in the form @{field}; ``critical`` wakes somebody, ``warning``
    becomes a ticket.
    """

    name: str
    expr: str
    hold: str
    severity: Severity
    summary: str
    meaning: str
    first_command: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """An alert or an objective that this endpoint cannot have, and why."""

    alert: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rules that are evaluated one after the other, the recording ones first."""

    name: str
    interval: str
    labels: Mapping[str, str]
    recordings: tuple[Recording, ...] = ()
    alerts: tuple[Alert, ...] = field(default=())
