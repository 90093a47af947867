"""Further shapes of traffic: what arrives within a step, by the number of the step."""

from __future__ import annotations

from collections.abc import Sequence

from hyperpod_dpd.observability.scenarios.state import Request
from hyperpod_dpd.observability.scenarios.traffic import LONG, SHORT, mixed

MIDDLING = Request(prompt=3000)
_HEARD_BEFORE = Request(prompt=9000, cached=8960)
_JAPANESE = 0.3
"""Tokens that the router estimates for a real one where a character is a token or more."""


def heavy(step: int) -> Sequence[Request]:
    """Enough for three prefillers and two decoders."""
    return [LONG] * 6 + [SHORT] * 12


def short(step: int) -> Sequence[Request]:
    """None of them near the threshold."""
    return [Request(prompt=40 + 13 * (step % 20))] * 8


def long(step: int) -> Sequence[Request]:
    """All of them far above it."""
    return [Request(prompt=8000 + 400 * (step % 10))] * 3


def bursts(step: int) -> Sequence[Request]:
    """Sixty requests in a minute, then nineteen quiet minutes."""
    return ([LONG] * 20 + [SHORT] * 10) if step % 40 < 2 else []


def hourly(step: int) -> Sequence[Request]:
    """A long prompt an hour."""
    return [LONG] if step % 120 == 7 else []


def hourly_short(step: int) -> Sequence[Request]:
    """A short one an hour."""
    return [SHORT] if step % 120 == 7 else []


def very_long(step: int) -> Sequence[Request]:
    """A prompt of 14,000 tokens every five minutes."""
    return [Request(prompt=14000)] if step % 10 == 3 else []


def conversations(step: int) -> Sequence[Request]:
    """Long conversations whose earlier turns the decoder still has."""
    return [Request(prompt=9000, cached=8700)] * 4 + [LONG] + [SHORT] * 4


def all_heard_before(step: int) -> Sequence[Request]:
    """Prefix-cache hits near 100 %, and prompts a little below the threshold that the decoder has to compute."""
    return [_HEARD_BEFORE] * 4 + [MIDDLING] * 6


def japanese(step: int) -> Sequence[Request]:
    """The router estimates so few tokens that prompts of 6,000 stay with the decoder."""
    return [Request(prompt=14000, estimate=_JAPANESE)] * 3 + [Request(prompt=6000, estimate=_JAPANESE)] * 2


def blend(step: int) -> Sequence[Request]:
    """Conversations, prompts in another language, middling and long ones at once."""
    japanese = Request(prompt=6000, estimate=_JAPANESE)
    return [_HEARD_BEFORE] * 2 + [japanese] * 2 + [MIDDLING] * 2 + [LONG] * 2 + [SHORT] * 3


def long_and_heard_before(step: int) -> Sequence[Request]:
    """Long prompts that are new, and middling ones that the decoder's prefix cache holds."""
    return [LONG] * 4 + [Request(prompt=3000, cached=2900)] * 8


def shorter_from_minute_20(step: int) -> Sequence[Request]:
    """A new client asks for half as much context."""
    return [LONG] * 4 + [SHORT] * 3 if step < 40 else [MIDDLING] * 6 + [SHORT] * 3


def ramp(step: int) -> Sequence[Request]:
    """More and more."""
    return [LONG] * (step // 20) + [SHORT] * (step // 10)


def days(step: int) -> Sequence[Request]:
    """Steps of a minute: five hours of an evening, eight silent ones, and the morning after."""
    return mixed(step) if not 300 <= step < 780 else []


def steady_day(step: int) -> Sequence[Request]:
    """Steps of a minute, and never a pause."""
    return mixed(step)


def batch_at_three(step: int) -> Sequence[Request]:
    """Steps of a minute from midnight: little at night, and twenty minutes of a batch job at three."""
    if 180 <= step < 200:
        return [Request(prompt=7000)] * 30
    return [SHORT] if step < 420 and step % 3 == 0 else mixed(step) if step >= 420 else []


def nothing(step: int) -> Sequence[Request]:
    """No request."""
    return []
