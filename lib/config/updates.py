"""When HyperPod may replace the software of a group's nodes: in a window of its own, a part at a time."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from lib.config.base import Section

HOURS_APART = 4
"""Windows of prefill and decode must begin this far apart, or on different days: an update may take as long."""

_EVERY_DAY = frozenset(("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"))
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_DAYS_PER_HOUR = 24

AlarmName = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^\S.*$")]


class Update(Section):
    """A scheduled, rolling update of one instance group's nodes."""

    window: str = Field(
        pattern=r"^cron\(\S+ \S+ \S+ \S+ \S+ \S+\)$",
        description="When it begins, in UTC, as cron(minute hour day month weekday year).",
        examples=["cron(0 2 ? * SUN *)"],
    )
    batch_percent: int = Field(25, ge=1, le=100, description="Share of the nodes replaced at once.")
    wait_seconds: int = Field(600, ge=0, le=3600, description="Pause after each batch.")
    alarms: list[AlarmName] = Field(
        min_length=1, max_length=10, description="CloudWatch alarms that stop the update and roll it back."
    )


def windows_apart(first: str, second: str) -> bool:
    """Whether two windows surely begin on different weekdays or at least HOURS_APART hours from each other.

    What this cannot tell (days of the month, several hours) counts as not apart.
    """
    one, other = _parse(first), _parse(second)
    if one is None or other is None:
        return False
    if not one[0] & other[0] and not _next_to(one, other):
        return True
    distance = abs(one[1] - other[1])
    return min(distance, _DAYS_PER_HOUR - distance) >= HOURS_APART


def _next_to(one: tuple[frozenset[str], int], other: tuple[frozenset[str], int]) -> bool:
    """Whether one begins late on the eve of the other."""
    for late, early in ((one, other), (other, one)):
        eves = {_DAYS[_DAYS.index(day) - 1] for day in early[0]}
        if late[0] & eves and early[1] + _DAYS_PER_HOUR - late[1] < HOURS_APART:
            return True
    return False


def _parse(window: str) -> tuple[frozenset[str], int] | None:
    """Weekdays and hour of a window; None where the hour is not one or days of the month decide."""
    _, hour, day, _, weekday, _ = window.removeprefix("cron(").removesuffix(")").split(" ")
    if not re.fullmatch(r"\d{1,2}", hour) or int(hour) >= _DAYS_PER_HOUR or day not in ("?", "*"):
        return None
    if weekday in ("?", "*"):
        return _EVERY_DAY, int(hour)
    days: set[str] = set()
    for part in weekday.upper().split(","):
        ends = [_day(end) for end in part.split("-")]
        if any(end is None for end in ends) or len(ends) > 2:
            return None
        first, last = ends[0] or 0, ends[-1] or 0
        days |= {_DAYS[n % 7] for n in range(first, last + 1 if last >= first else last + 8)}
    return frozenset(days), int(hour)


def _day(text: str) -> int | None:
    """0 for Sunday; AWS counts from 1."""
    if text in _DAYS:
        return _DAYS.index(text)
    return int(text) - 1 if re.fullmatch(r"[1-7]", text) else None
