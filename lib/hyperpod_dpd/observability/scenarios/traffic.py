"""Shapes of traffic: what arrives within a step, by the number of the step."""

from __future__ import annotations

from collections.abc import Sequence

from hyperpod_dpd.observability.scenarios.state import Request

LONG, SHORT = Request(prompt=6000), Request(prompt=300)


def mixed(step: int) -> Sequence[Request]:
    """Four long prompts to six or more short ones."""
    return [LONG] * 4 + [SHORT] * (6 + step % 3)


def evening(step: int) -> Sequence[Request]:
    """Ten busy minutes, fifteen idle ones."""
    return mixed(step) if step % 50 < 20 else []
