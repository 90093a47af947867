"""The page on error budgets says what the rules do."""

from __future__ import annotations

import re

import pytest

from hyperpod_dpd.observability.alerts.objectives import burn_rates, least_missed
from tests.support.documents import ROOT


def test_the_table_is_what_is_derived() -> None:
    rows = re.findall(
        r"^\| (\w+) and (\w+) \| (page|ticket) \| [\d.]+ \| ([\d.]+) % \| ([\d.]+) % \| (\d+) \|$",
        (ROOT / "docs" / "error-budgets.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    small, large = burn_rates(0.01), burn_rates(0.05)
    assert rows == [
        (
            *(one.long, one.short, "page" if one.severity == "critical" else "ticket"),
            *(f"{one.factor * 1:g}", f"{five.factor * 5:g}", f"{least_missed(one.long):g}"),
        )
        for one, five in zip(small, large, strict=True)
    ]


@pytest.mark.parametrize("budget", [0.001, 0.01, 0.05, 0.2])
def test_no_window_asks_for_more_than_half_of_the_events(budget: float) -> None:
    assert max(rate.factor for rate in burn_rates(budget)) * budget <= 0.5
    assert all(rate.factor >= 1 for rate in burn_rates(budget))
