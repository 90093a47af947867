"""The recorded scenarios: traffic, what goes wrong, and exactly the alerts that must fire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.observability.scenarios.endpoint import SLOW_WIRE, Course, Recorder, Request, State, Traffic
from lib.observability.scenarios.recording import Recording

if TYPE_CHECKING:
    from lib.observability.signals import Signals

_PER_MINUTE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """``alerts`` are those that fire at some time of it; none but these may."""

    name: str
    title: str
    minutes: int
    traffic: Traffic
    course: Course
    alerts: frozenset[str]

    def record(self, s: Signals) -> Recording:
        """The series of this scenario for one endpoint."""
        recorder = Recorder(s, name=self.name, steps=self.minutes * _PER_MINUTE)
        return recorder.play(self.traffic, self.course)


_LONG, _SHORT = Request(prompt=6000), Request(prompt=300)


def _mixed(step: int) -> Sequence[Request]:
    return [_LONG] * 4 + [_SHORT] * (6 + step % 3)


def _short(step: int) -> Sequence[Request]:
    return [Request(prompt=40 + 13 * (step % 20))] * 8


def _long(step: int) -> Sequence[Request]:
    return [Request(prompt=8000 + 400 * (step % 10))] * 3


def _bursts(step: int) -> Sequence[Request]:
    """Sixty requests in a minute, then nineteen quiet minutes."""
    return ([_LONG] * 20 + [_SHORT] * 10) if step % 40 < 2 else []


def _hourly(step: int) -> Sequence[Request]:
    return [_LONG] if step % 120 == 7 else []


def _hourly_short(step: int) -> Sequence[Request]:
    return [_SHORT] if step % 120 == 7 else []


def _conversations(step: int) -> Sequence[Request]:
    """Long conversations whose earlier turns the decoder still has."""
    return [Request(prompt=9000, cached=8700)] * 4 + [Request(prompt=6000)] + [_SHORT] * 4


def _ramp(step: int) -> Sequence[Request]:
    return [_LONG] * (step // 20) + [_SHORT] * (step // 10)


def _evening(step: int) -> Sequence[Request]:
    """Ten busy minutes, fifteen idle ones."""
    return _mixed(step) if step % 50 < 20 else []


def _fine(step: int, state: State) -> None:
    return None


def _from(minute: int, **changes: object) -> Course:
    def course(step: int, state: State) -> None:
        if step == minute * _PER_MINUTE:
            for name, value in changes.items():
                setattr(state, name, value)

    return course


def _leaking(step: int, state: State) -> None:
    """Every busy stretch leaves a few pages behind."""
    if step % 50 < 20:
        state.leaked_share = min(0.5, state.leaked_share + 0.004)


def _burst_load(step: int, state: State) -> None:
    within = step % 40
    state.prefill_waiting = max(0, 18 - 6 * within)
    state.decode_waiting = max(0, 9 - 3 * within)
    state.buffer_share = 0.9 if within < 4 else 0.02


def _restarting(landing: float) -> Course:
    def course(step: int, state: State) -> None:
        state.prefill_up = not 60 <= step < 66
        if step == 66:
            state.prefill_restarts, state.landing = 1, landing

    return course


def _rollout(step: int, state: State) -> None:
    """Both roles get a new image; the decoder is there a little later."""
    state.decode_up = not 60 <= step < 66
    state.prefill_up = not 60 <= step < 64


def _s(name: str, title: str, traffic: Traffic, course: Course, *alerts: str, minutes: int = 90) -> Scenario:
    return Scenario(
        name=name,
        title=title,
        minutes=minutes,
        traffic=traffic,
        course=course,
        alerts=frozenset(f"Dpd{alert}" for alert in alerts),
    )


LIVE = (
    _s("healthy", "Healthy: a mix of long and short prompts", _mixed, _fine),
    _s(
        "hash-seed-mismatch",
        "The decoder was restarted without a hash seed",
        _mixed,
        _from(20, landing=0.0, one_hash=False),
        *("KvNotLanding", "DecoderRecomputesLongPrompts", "HashSeedSkew"),
    ),
    _s(
        "efa-fallback",
        "KV cache goes over TCP",
        _mixed,
        _from(20, wire_bytes_per_second=SLOW_WIRE, efa=False),
        *("KvWireSlow", "EfaSilent"),
    ),
    _s("buffer-leak", "The decoder does not free pages", _evening, _leaking, "BufferLeak"),
    _s(
        "saturated-decoder",
        "More requests than the decoder can run",
        _mixed,
        _from(20, decode_waiting=14, decode_running=1024, slow_tokens=True),
        "DecoderSaturated",
    ),
    _s(
        "prefiller-restart",
        "A prefiller restarts and the decoder keeps the old connection",
        _mixed,
        _restarting(0.0),
        *("KvNotLanding", "DecoderRecomputesLongPrompts", "StaleDecoderAfterPrefillerRestart"),
    ),
)
"""Those that the live test replays, too."""

HEALTHY = (
    _s("only-short", "Only short prompts", _short, _fine),
    _s("only-long", "Only long prompts", _long, _fine),
    _s("bursts", "Bursts of a minute", _bursts, _burst_load, minutes=150),
    _s("hourly", "A long request an hour", _hourly, _fine, minutes=300),
    _s("hourly-short", "A short request an hour", _hourly_short, _fine, minutes=300),
    _s("idle", "Nothing at all", lambda step: (), _fine),
    _s("conversations", "Prompts that the decoder has in its prefix cache", _conversations, _fine),
    _s("ramp", "From nothing to full load", _ramp, _fine),
    _s("busy-and-idle", "Ten minutes busy, fifteen idle", _evening, _fine),
    _s("restart", "A prefiller restarts, and all is well", _mixed, _restarting(1.0)),
    _s("rollout", "Both roles are replaced", _mixed, _rollout),
)
"""Shapes of traffic in which nothing may fire."""

FAULTS = (
    _s(
        "half-lands",
        "One prefiller of several has another seed",
        lambda step: [_LONG] * 2 + [Request(prompt=6000)] * 2 + [_SHORT] * 6,
        _from(20, landing=0.1),
        *("KvNotLanding", "DecoderRecomputesLongPrompts"),
    ),
    _s(
        "retrieve-fails",
        "KV cache arrives and cannot be read",
        _mixed,
        _from(20, retrievable=0.0),
        "KvRetrieveIncomplete",
    ),
    _s("hang", "Transfers wait for a decoder that was replaced", _mixed, _from(20, hung=4), "KvStalled"),
    _s(
        "buffer-exhausted",
        "Too many transfers at once",
        _mixed,
        _from(20, buffer_share=1.0, alloc_retries=90, wire_bytes_per_second=SLOW_WIRE),
        *("BufferNearFull", "BufferExhausted"),
    ),
    _s(
        "prefill-short",
        "Prefill cannot keep up",
        _long,
        _from(20, prefill_waiting=9),
        *("PrefillShort", "ThresholdMisfit"),
        minutes=120,
    ),
    _s(
        "overload",
        "Neither role can keep up",
        _mixed,
        _from(20, prefill_waiting=9, decode_waiting=9),
        "EndpointOverloaded",
    ),
    _s("fallback", "Prefillers answer with errors", _mixed, _from(20, failing_prefill=0.5), "RouterFallback"),
    _s("router-blind", "The router is not scraped", _mixed, _from(20, router_seen=False), "RouterBlind"),
    _s("image-skew", "The decoder runs an older image", _mixed, _from(20, one_image=False), "ImageSkew"),
    _s("dtype-skew", "fp8 on one side", _mixed, _from(20, one_dtype=False), "KvDtypeSkew"),
    _s("role-skew", "The prefiller thinks it receives", _mixed, _from(20, roles_right=False), "RoleSkew"),
    _s("no-decoder", "The decoder is gone", _mixed, _from(20, decode_up=False), "NoReadyDecoder"),
    _s("no-prefiller", "The prefiller is gone", _short, _from(20, prefill_up=False), "NoReadyPrefiller"),
    _s("degraded", "LMCache gave up", _mixed, _from(20, lmcache_healthy=False), "LmcacheDegraded"),
    _s(
        "preempting",
        "The decoder's KV cache is too small",
        _mixed,
        _from(20, preempted=0.4),
        "DecoderPreempts",
    ),
    _s("efa-unseen", "The EFA exporter is gone", _mixed, _from(20, efa_exporter=False), "EfaMetricsAbsent"),
    _s("logs-unseen", "The log exporter is gone", _mixed, _from(20, log_exporter=False), "LogExporterAbsent"),
)
"""Other faults, each with the alerts that belong to it and no more."""

EVERY = (*LIVE, *HEALTHY, *FAULTS)
