"""What else can happen to an endpoint. Times are minutes, steps half a minute unless a course says otherwise."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.state import SLOW_WIRE, Course, State

_PER_MINUTE = 2


def replace(minute: int, where: str, *, down: int = 4, **changes: object) -> Course:
    """A new pod with another name takes the place; ``changes`` are what is different about it."""

    def course(step: int, state: State) -> None:
        for pod in state.pods(where):
            if step == minute * _PER_MINUTE:
                pod.up = False
            if step == (minute + down) * _PER_MINUTE:
                pod.replace()
                pod.up = True
                for name, value in changes.items():
                    setattr(pod, name, value)

    return course


def restart_loop(minute: int, where: str, *, up: int, down: int) -> Course:
    """Out of memory again and again."""

    def course(step: int, state: State) -> None:
        within = step - minute * _PER_MINUTE
        for pod in state.pods(where) if within >= 0 else ():
            moment = within % ((up + down) * _PER_MINUTE)
            pod.up = moment >= down * _PER_MINUTE
            if moment == down * _PER_MINUTE:
                pod.restarts += 1

    return course


def warm_up(step: int, state: State) -> None:
    """Fresh: twelve minutes until the engines stand, then first transfers with their handshakes."""
    if not step:
        state.deployed_seconds = 0
    for pod in state.pods("pods"):
        pod.up = step >= 12 * _PER_MINUTE
        pod.wire = 0.4e9 if step < 14 * _PER_MINUTE else 20e9
    state.slow_tokens = step < 13 * _PER_MINUTE


def gaps(step: int, state: State) -> None:
    """For two minutes of every twenty nothing is collected."""
    state.collected = step % 40 >= 4


def flapping(where: str) -> Course:
    """Every other minute the target answers."""

    def course(step: int, state: State) -> None:
        for pod in state.pods(where):
            pod.scraped = step < 40 or step % 4 < 2

    return course


def router_flapping(step: int, state: State) -> None:
    """The router's target misses every third minute."""
    state.router_seen = step < 40 or step % 6 < 4


def handshakes(step: int, state: State) -> None:
    """Each half hour the first transfers are slow."""
    for pod in state.prefillers:
        pod.wire = SLOW_WIRE if step % 60 < 3 else 20e9


def leaking_slowly(step: int, state: State) -> None:
    """Steps of a minute: two fifths of the buffer in a day."""
    for pod in state.decoders:
        pod.leaked = 0.4 * step / 1440


def burst_load(step: int, state: State) -> None:
    """Queues and a full buffer for the first minutes of every burst."""
    within = step % 40
    for pod in state.prefillers:
        pod.waiting = max(0, 18 - 6 * within)
    for pod in state.decoders:
        pod.waiting = max(0, 9 - 3 * within)
        pod.buffer_share = 0.9 if within < 4 else 0.02


def exhausted_in_bursts(step: int, state: State) -> None:
    """Ninety seconds of every ten minutes no page is free, and puts wait."""
    full = step >= 40 and step % 20 < 3
    for pod in state.decoders:
        pod.buffer_share, pod.retries = (1.0, 90.0) if full else (0.02, 0.0)
    for pod in state.prefillers:
        pod.wire = SLOW_WIRE if full else 20e9


def queue_at_both_ends(step: int, state: State) -> None:
    """A standing queue for decode, and one that comes and goes for prefill."""
    if step < 40:
        return
    state.slow_tokens = True
    for pod in state.prefillers:
        pod.waiting = 2 if step % 4 < 2 else 0
    for pod in state.decoders:
        pod.waiting, pod.running = 14, 1024


def batch_load(step: int, state: State) -> None:
    """Steps of a minute: the batch job at three queues for nine minutes."""
    for pod in state.prefillers:
        pod.waiting = 12 if 182 <= step < 191 else 0
