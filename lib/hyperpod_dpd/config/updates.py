"""When HyperPod may replace the software of a group's nodes: in a window of its own, a part at a time."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from hyperpod_dpd.config.base import Section

HOURS_APART = 4
"""Windows of prefill and decode must begin this far apart, or on different days: an update may take as long."""

_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_EVERY_DAY = frozenset(_DAYS)
_HOURS_PER_DAY = 24
_DATE = "([1-9]|0[1-9]|[12][0-9]|3[01])"
_MONTH = r"([1-9]|0[1-9]|1[0-2]|\*|\*/([1-9]|1[0-2]))"
_WEEKDAY = "((SUN|MON|TUE|WED|THU|FRI|SAT)|[1-7]|L|[1-7]#[1-5]|[1-7]L)"
WINDOW = (
    r"^cron\(([0-5]?[0-9]) ([01]?[0-9]|2[0-3]) "
    rf"({_DATE} {_MONTH} \?|\? {_MONTH} {_WEEKDAY}) (20[2-9][0-9]|\*)\)$"
)
"""What AWS::SageMaker::Cluster takes: one minute, one hour, and either a day of the month or a weekday."""

AlarmName = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^\S.*$")]


class Update(Section):
    """A scheduled, rolling update of one instance group's nodes."""

    window: str = Field(
        pattern=WINDOW,
        description="When it begins, in UTC, as cron(minute hour day month weekday year).",
        examples=["cron(0 2 ? * SUN *)"],
    )
    batch_percent: int = Field(25, ge=1, le=100, description="Share of the nodes replaced at once.")
    batch_nodes: int | None = Field(None, ge=1, description="Nodes replaced at once, in place of a share.")
    rollback_batch_percent: int | None = Field(
        None, ge=1, le=100, description="Share put back at once after an alarm. Default: HyperPod's choice."
    )
    wait_seconds: int = Field(600, ge=0, le=3600, description="Pause after each batch.")
    alarms: list[AlarmName] = Field(
        min_length=1, max_length=10, description="CloudWatch alarms that stop the update and roll it back."
    )


def windows_apart(first: str, second: str) -> bool:
    """Whether two windows surely begin on different weekdays or at least HOURS_APART hours from each other.

    A window on a day of the month, or on a month's last day, may meet every weekday.
    """
    one, other = _parse(first), _parse(second)
    if not one[0] & other[0] and not _next_to(one, other):
        return True
    distance = abs(one[1] - other[1])
    return min(distance, _HOURS_PER_DAY - distance) >= HOURS_APART


def _next_to(one: tuple[frozenset[str], int], other: tuple[frozenset[str], int]) -> bool:
    """Whether one begins late on the eve of the other."""
    for late, early in ((one, other), (other, one)):
        eves = {_DAYS[_DAYS.index(day) - 1] for day in early[0]}
        if late[0] & eves and early[1] + _HOURS_PER_DAY - late[1] < HOURS_APART:
            return True
    return False


def _parse(window: str) -> tuple[frozenset[str], int]:
    """Weekdays on which a window may begin, and its hour."""
    _, hour, _, _, weekday, _ = window.removeprefix("cron(").removesuffix(")").split(" ")
    day = re.match(r"[A-Z]{3}|[1-7]", weekday)
    if day is None:
        return _EVERY_DAY, int(hour)
    named = day[0] if day[0] in _DAYS else _DAYS[int(day[0]) - 1]  # AWS counts from 1, Sunday
    return frozenset((named,)), int(hour)
