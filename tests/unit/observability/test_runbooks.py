"""One runbook for each alert, with the parts that somebody woken at night needs, and only fields that exist."""

from __future__ import annotations

import re

import pytest

from hyperpod_dpd.observability.rules import alert_names
from hyperpod_dpd.runbooks import render
from tests.support.documents import ROOT
from tests.support.observed import blueprint_of

FOLDER = ROOT / "docs" / "runbooks"
PARTS = ("## Symptom", "## What it is not", ": which cause", ": confirm the fix")


def test_each_alert_has_one_and_each_one_an_alert() -> None:
    assert {path.stem for path in FOLDER.glob("Dpd*.md")} == set(alert_names())


@pytest.mark.parametrize("alert", alert_names())
def test_it_has_its_parts(alert: str) -> None:
    text = (FOLDER / f"{alert}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {alert} in @{{environment}}\n")
    positions = [text.index(part) for part in PARTS]
    assert positions == sorted(positions)
    assert text.count("```sh") >= 2 and text.count("```") % 2 == 0
    assert text.count("\n@for ") + text.count("\n@if ") == len(re.findall(r"^@end$", text, re.MULTILINE))


@pytest.mark.parametrize("alert", alert_names())
def test_it_names_only_alerts_that_exist(alert: str) -> None:
    text = (FOLDER / f"{alert}.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(Dpd\w+)`", text)) <= set(alert_names())


@pytest.mark.parametrize("alert", alert_names())
@pytest.mark.parametrize("name", ["dev", "prod"])
def test_it_can_be_filled_in(alert: str, name: str) -> None:
    filled = render(alert, blueprint_of(name))
    assert "@{" not in filled
    assert "llama-70b" in filled
