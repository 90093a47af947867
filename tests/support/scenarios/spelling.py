"""A recording as promtool reads it, and as a scrape gets it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hyperpod_dpd.observability.scenarios.recording import Recording


def promtool_series(recording: Recording) -> list[dict[str, str]]:
    """The input_series of a promtool test."""
    return [{"series": name, "values": _notation(values)} for name, values in recording.values.items()]


def exposition(recording: Recording, step: int) -> str:
    """What a scrape at this step gets; the last step stays."""
    at = min(step, recording.steps - 1)
    found = ((name, values[at]) for name, values in recording.values.items())
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
