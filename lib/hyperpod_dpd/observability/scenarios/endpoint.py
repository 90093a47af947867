"""A small model of an endpoint: requests are routed, prefilled, transferred and decoded, and exporters count it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from hyperpod_dpd.observability.scenarios import exporters
from hyperpod_dpd.observability.scenarios.exported import ExportedSeries
from hyperpod_dpd.observability.scenarios.recording import STEP_SECONDS, Recording
from hyperpod_dpd.observability.scenarios.series import pod_name

if TYPE_CHECKING:
    from hyperpod_dpd.observability.scenarios.state import Course, Pod, Request, State, Traffic
    from hyperpod_dpd.observability.signals import Signals

_T = TypeVar("_T")


class Recorder:
    """Plays traffic against a state, step by step. KV cache lands one step after its request was routed."""

    def __init__(self, s: Signals, *, step_seconds: int = STEP_SECONDS) -> None:
        self._s = s
        self._exported = ExportedSeries(s, step_seconds=step_seconds)
        self._born: dict[str, float] = {}
        self._restarts: dict[str, int] = {}
        self._turn = 0

    def play(self, name: str, steps: int, traffic: Traffic, course: Course, state: State) -> Recording:
        """The recording of ``steps`` steps; ``state`` is changed on the way."""
        underway: list[tuple[Request, float]] = []
        for step in range(steps):
            course(step, state)
            self._restarted(state)
            underway = self._step(list(traffic(step)) if state.routers else [], underway, state)
            exporters.cluster(
                self._exported, state, seconds=step * self._exported.step_seconds, born=self._born
            )
            self._unseen(state)
            self._exported.turn(step, collected=state.collected)
        return self._exported.recording(name, steps)

    def _step(
        self, arriving: list[Request], underway: list[tuple[Request, float]], state: State
    ) -> list[tuple[Request, float]]:
        """What is under way to the decoders afterwards, each with the share of it that will land."""
        prefillers = [i for i, pod in enumerate(state.prefillers) if pod.up and pod.served]
        decoders = [i for i, pod in enumerate(state.decoders) if pod.up and pod.served]
        long = [i for i, request in enumerate(arriving) if self._disaggregates(request, state)]
        failed = round(len(long) * state.failing_prefill) if prefillers else len(long)
        routed = [arriving[i] for i in long[failed:]]
        local = [request for i, request in enumerate(arriving) if i not in long[failed:]]
        if state.router_seen and state.routers:
            exporters.router(self._exported, arriving, long=len(long), failed=failed, state=state)
        shares = self._dealt(routed, prefillers)
        for place, pod in enumerate(state.prefillers):
            if pod.up:
                exporters.prefiller(
                    self._exported, place, pod, [] if state.hung else shares.get(place, []), state
                )
        landing = self._dealt([] if state.hung else underway, decoders)
        locals_ = self._dealt(local, decoders)
        for place, pod in enumerate(state.decoders):
            if pod.up:
                exporters.decoder(
                    self._exported, place, pod, landing.get(place, []), locals_.get(place, []), state
                )
        return [(r, state.prefillers[place].landing) for place, requests in shares.items() for r in requests]

    def _disaggregates(self, request: Request, state: State) -> bool:
        return state.disaggregating and request.prompt * request.estimate >= self._s.threshold_tokens

    def _dealt(self, requests: Sequence[_T], places: Sequence[int]) -> dict[int, list[_T]]:
        """Round robin over ``places``; nothing where there are none."""
        found: dict[int, list[_T]] = {}
        for request in requests if places else ():
            self._turn += 1
            found.setdefault(places[self._turn % len(places)], []).append(request)
        return found

    def _pods(self, state: State) -> list[tuple[str, Pod]]:
        return [
            (pod_name(deployment, exporters.number(place, pod)), pod)
            for deployment, pods in (
                (self._s.prefill_deployment, state.prefillers),
                (self._s.decode_deployment, state.decoders),
            )
            for place, pod in enumerate(pods)
        ]

    def _restarted(self, state: State) -> None:
        for name, pod in self._pods(state):
            if self._restarts.setdefault(name, pod.restarts) != pod.restarts:
                self._restarts[name] = pod.restarts
                self._exported.forget(name)

    def _unseen(self, state: State) -> None:
        for name, pod in self._pods(state):
            if not pod.scraped:
                self._exported.hide(name)
