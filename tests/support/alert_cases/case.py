"""A case of an alert: series that make it fire, or nearly, and the spelling of their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Samples = Mapping[str, str]
"""Series in exposition spelling to promtool's notation of values, one value every ``step``."""
LONG = 300
"""Values of a case, one every 30 s: two and a half hours."""


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


def steady(step: float, *, first: float = 0, count: int = LONG) -> str:
    """A counter that grows by ``step`` every 30 s, in promtool's notation."""
    return f"{first}+{step}x{count}"


def flat(value: float, count: int = LONG) -> str:
    """A gauge, or a counter that stands still."""
    return f"{value}x{count}"
