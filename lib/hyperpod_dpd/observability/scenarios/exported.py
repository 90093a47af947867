"""What exporters have counted so far and show now, kept step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hyperpod_dpd.observability.scenarios.recording import STEP_SECONDS, UNSEEN, Recording

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


class ExportedSeries:
    """Series by their exposition spelling; a counter goes on for as long as its process lives."""

    def __init__(self, s: Signals, *, step_seconds: int = STEP_SECONDS) -> None:
        self.s = s
        self.step_seconds = step_seconds
        self._values: dict[str, list[float | None]] = {}
        self._totals: dict[str, float] = {}
        self._now: dict[str, float] = {}

    def count(self, key: str, more: float = 0) -> None:
        """A counter and what it grew by since the step before."""
        self._totals[key] = self._totals.get(key, 0) + more
        self._now[key] = self._totals[key]

    def gauge(self, key: str, value: float) -> None:
        """A value of this step."""
        self._now[key] = value

    def counted(self, key: str) -> bool:
        """Whether a counter exists already: with labels it is not there before it counted."""
        return key in self._totals

    def histogram(
        self, of: Callable[..., str], name: str, bounds: Sequence[float], seen: Sequence[float]
    ) -> None:
        """``of`` makes a key of a name and labels."""
        for bound in bounds:
            self.count(of(f"{name}_bucket", le=f"{bound}"), sum(1 for value in seen if value <= bound))
        self.count(of(f"{name}_bucket", le="+Inf"), len(seen))
        self.count(of(f"{name}_sum"), sum(seen))
        self.count(of(f"{name}_count"), len(seen))

    def forget(self, pod: str) -> None:
        """The process of a pod restarted: its counters begin at zero. The log exporter's own go on."""
        for key in [k for k in self._totals if f'pod_name="{pod}"' in k and not k.startswith("dpd_log_")]:
            del self._totals[key]

    def hide(self, pod: str) -> None:
        """The pod counts on and is not scraped."""
        for key in [k for k in self._now if f'pod_name="{pod}"' in k and not k.startswith("dpd_log_")]:
            del self._now[key]

    def turn(self, step: int, *, collected: bool) -> None:
        """Keep this step. Where nothing is collected, samples are missing and no series ends."""
        if collected:
            for key, value in self._now.items():
                self._values.setdefault(key, [None] * step).append(float(value))
        for values in self._values.values():
            if len(values) == step:
                values.append(None if collected else UNSEEN)
        self._now = {}

    def recording(self, name: str, steps: int) -> Recording:
        """All of it."""
        values = {key: tuple(values) for key, values in sorted(self._values.items())}
        return Recording(name=name, steps=steps, values=values, step_seconds=self.step_seconds)
