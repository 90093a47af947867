"""Spelling of PromQL: what is needed to write rules."""

from __future__ import annotations

_MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def select(name: str, matchers: str = "", *more: str) -> str:
    """A selector; empty matchers leave the braces out."""
    inside = ",".join(part for part in (matchers, *more) if part)
    return f"{name}{{{inside}}}" if inside else name


def number(value: float) -> str:
    """A number that reads back exactly, integers without a point."""
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))


def milliseconds(duration: str) -> int:
    """A Prometheus duration of one unit ("5m"). Raises KeyError or ValueError for others."""
    unit = "ms" if duration.endswith("ms") else duration[-1]
    return int(duration.removesuffix(unit)) * _MILLISECONDS[unit]
