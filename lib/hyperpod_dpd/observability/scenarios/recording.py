"""A recording: values of every series at fixed steps."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
