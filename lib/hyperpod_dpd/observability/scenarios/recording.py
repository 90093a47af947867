"""A recording: values of every series at fixed steps, and its spelling for promtool and for a scrape."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

STEP_SECONDS = 30
UNSEEN = math.nan
"""A sample that was never taken: the series goes on, nobody marked it as gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """Values by series in exposition spelling, one every ``step_seconds``; None where the series is not there."""

    name: str
    steps: int
    values: Mapping[str, tuple[float | None, ...]]
    step_seconds: int = STEP_SECONDS

    @property
    def minutes(self) -> int:
        return self.steps * self.step_seconds // 60

    def promtool_series(self) -> list[dict[str, str]]:
        """The input_series of a promtool test."""
        return [{"series": name, "values": _notation(values)} for name, values in self.values.items()]

    def exposition(self, step: int) -> str:
        """What a scrape at this step gets; the last step stays."""
        at = min(step, self.steps - 1)
        found = ((name, values[at]) for name, values in self.values.items())
        return "".join(
            f"{name} {value!r}\n" for name, value in found if value is not None and not math.isnan(value)
        )


def _notation(values: tuple[float | None, ...]) -> str:
    """Runs of one value as VALUExN, gaps as _; the end of a series as stale."""
    parts: list[str] = []
    for value, count in _runs(values):
        if value is None:
            parts.append(f"_x{count}" if not parts else "stale" + (f" _x{count - 1}" if count > 1 else ""))
        elif math.isnan(value):
            parts.append(f"_x{count}")
        else:
            parts.append(f"{value!r}x{count - 1}" if count > 1 else f"{value!r}")
    return " ".join(parts)


def _runs(values: tuple[float | None, ...]) -> Iterator[tuple[float | None, int]]:
    start = 0
    for index in range(1, len(values) + 1):
        if index == len(values) or values[index] != values[start]:
            yield values[start], index - start
            start = index
