"""A scenario: traffic, what happens to the endpoint, and exactly the alerts that must fire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperpod_dpd.observability.scenarios.endpoint import Recorder
from hyperpod_dpd.observability.scenarios.state import Course, Pod, State, Traffic

if TYPE_CHECKING:
    from hyperpod_dpd.observability.scenarios.recording import Recording
    from hyperpod_dpd.observability.signals import Signals


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """``alerts`` are those that fire at some time of it; none but these may."""

    name: str
    title: str
    minutes: int
    traffic: Traffic
    course: Course
    alerts: frozenset[str]
    prefillers: int = 1
    decoders: int = 1
    step_seconds: int = 30

    def record(self, s: Signals) -> Recording:
        """The series of this scenario for one endpoint."""
        recorder = Recorder(s, step_seconds=self.step_seconds)
        state = State(
            prefillers=[Pod() for _ in range(self.prefillers)], decoders=[Pod() for _ in range(self.decoders)]
        )
        steps = self.minutes * 60 // self.step_seconds
        return recorder.play(self.name, steps, self.traffic, self.course, state)


def scenario(
    name: str,
    title: str,
    traffic: Traffic,
    course: Course,
    *alerts: str,
    minutes: int = 90,
    pods: tuple[int, int] = (1, 1),
    step_seconds: int = 30,
) -> Scenario:
    """``alerts`` without their prefix; ``pods`` are prefillers and decoders."""
    return Scenario(
        name=name,
        title=title,
        minutes=minutes,
        traffic=traffic,
        course=course,
        alerts=frozenset(f"Dpd{alert}" for alert in alerts),
        prefillers=pods[0],
        decoders=pods[1],
        step_seconds=step_seconds,
    )
