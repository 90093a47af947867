"""What is watched, as plain data: recording rules, alerts, groups of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Severity = Literal["critical", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A query evaluated once and used by several alerts and panels."""

    record: str
    expr: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One alert: when it fires, how long that must hold, and what the person it wakes reads first.

    ``keep`` is for how long it stays when its signal goes away: sparse signals do between two samples of the same
    fault. ``first_command`` may hold fields of runbooks in the form @{field}; ``critical`` wakes somebody, ``warning``
    becomes a ticket.
    """

    name: str
    expr: str
    hold: str
    severity: Severity
    summary: str
    meaning: str
    first_command: str
    keep: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
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
    alerts: tuple[Alert, ...] = ()
