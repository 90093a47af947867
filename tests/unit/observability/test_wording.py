"""The text of an alert follows the limit and the window that its query asks for."""

from __future__ import annotations

import pytest

from hyperpod_dpd.observability.alerts import buffer, load, routing, watching
from hyperpod_dpd.observability.model import Alert
from hyperpod_dpd.observability.wording import cardinal, duration, percentage, share
from tests.support.observed import wide


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.8, "four fifths"), (0.5, "half"), (0.3, "a third"), (0.25, "a quarter"), (2 / 3, "two thirds")],
)
def test_shares(value: float, words: str) -> None:
    assert share(value) == words


@pytest.mark.parametrize("value", [0.0, 0.01, 1.0])
def test_what_is_no_fraction_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="percentage"):
        share(value)


@pytest.mark.parametrize(
    ("each", "words"),
    [
        (("10m",), "ten minutes"),
        (("5m", "10m"), "a quarter of an hour"),
        (("30m",), "half an hour"),
        (("1h",), "an hour"),
        (("6h",), "six hours"),
        (("90m",), "90 minutes"),
        (("1d",), "a day"),
    ],
)
def test_durations(each: tuple[str, ...], words: str) -> None:
    assert duration(*each) == words


def test_numbers() -> None:
    assert (cardinal(3), cardinal(13), cardinal(2.5), percentage(0.05)) == ("three", "13", "2.5", "5 %")


def test_another_limit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    s = wide(objectives=False).signals
    for module in (buffer, routing, watching):
        monkeypatch.setattr(module, "limit", lambda _: 0.6)
    near_full = buffer.near_full(s, 1000)
    assert "three fifths" in near_full.summary and "> 0.6" in near_full.expr
    misfit = routing.threshold_misfit(s)
    assert isinstance(misfit, Alert) and "fewer than 60 %" in misfit.meaning
    assert "two fifths of it" in watching.engine_unseen(s).meaning


def test_another_window_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    s = wide(objectives=False).signals
    monkeypatch.setattr(load, "_WINDOW", "20m")
    monkeypatch.setattr(buffer, "_BEFORE", "12h")
    overloaded = load.overloaded(s)
    assert overloaded.meaning.startswith("For half an hour") and "[20m]" in overloaded.expr
    leak = buffer.leak(s, 1000)
    assert "twelve hours ago" in leak.meaning and "offset 12h" in leak.expr
