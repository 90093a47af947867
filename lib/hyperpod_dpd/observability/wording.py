"""Limits and durations in the words of an alert, so that its text and its query state each of them once."""

from __future__ import annotations

from fractions import Fraction

from hyperpod_dpd.observability.promql import milliseconds

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_PARTS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth"}
_UNITS = (("day", "a", 86_400_000), ("hour", "an", 3_600_000), ("minute", "a", 60_000), ("second", "a", 1000))


def cardinal(value: float) -> str:
    """Three for 3; digits beyond twelve and for what is no integer."""
    return _NUMBERS[int(value)] if value == int(value) and 0 <= value < len(_NUMBERS) else f"{value:g}"


def share(value: float) -> str:
    """The nearest fraction of sixths at most ("four fifths", "a third"), above 0 and below 1."""
    part = Fraction(value).limit_denominator(max(_PARTS))
    if part.denominator == 2:
        return "half"
    if part.denominator not in _PARTS:
        raise ValueError(f"a share of {value} is no fraction in words; give it as a percentage")
    name = _PARTS[part.denominator]
    return f"a {name}" if part.numerator == 1 else f"{cardinal(part.numerator)} {name}s"


def percentage(value: float) -> str:
    """5 % for 0.05."""
    return f"{round(value * 100, 6):g} %"


def duration(*each: str) -> str:
    """The sum of Prometheus durations: "half an hour", "ten minutes"."""
    total = sum(map(milliseconds, each))
    if total in (1_800_000, 900_000):
        return "half an hour" if total == 1_800_000 else "a quarter of an hour"
    unit, article, size = next(item for item in _UNITS if total % item[2] == 0)
    count = total // size
    return f"{article} {unit}" if count == 1 else f"{cardinal(count)} {unit}s"
