"""What happens to an endpoint. Times are minutes, steps half a minute unless a course says otherwise."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.state import Course, State

_PER_MINUTE = 2


def fine(step: int, state: State) -> None:
    """Nothing."""


def since(minute: int, where: str = "endpoint", **changes: object) -> Course:
    """From that minute on ``changes`` hold for the endpoint, or for "prefill", "decode", "pods", "prefill/0"."""

    def course(step: int, state: State) -> None:
        if step == minute * _PER_MINUTE:
            for target in [state] if where == "endpoint" else state.pods(where):
                for name, value in changes.items():
                    setattr(target, name, value)

    return course


def both(*courses: Course) -> Course:
    """All of them, in this order."""

    def course(step: int, state: State) -> None:
        for each in courses:
            each(step, state)

    return course


def restart(minute: int, where: str, *, down: int = 3, landing: float = 1.0) -> Course:
    """The container ends, is down for some minutes, and begins with empty counters."""

    def course(step: int, state: State) -> None:
        for pod in state.pods(where):
            if step == minute * _PER_MINUTE:
                pod.up = False
            if step == (minute + down) * _PER_MINUTE:
                pod.up, pod.landing, pod.restarts = True, landing, pod.restarts + 1

    return course


def leaking(step: int, state: State) -> None:
    """Every busy stretch leaves a few pages behind."""
    if step % 50 < 20:
        for pod in state.decoders:
            pod.leaked = min(0.5, pod.leaked + 0.004)
