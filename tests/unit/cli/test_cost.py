"""`dpd cost` with a price list of the user's."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS, ROOT

PROD = str(ENVIRONMENTS / "prod.yaml")
LIST = """
currency: EUR
date: "2026-11-30"
source: an agreement
per_hour:
  ml.m5.4xlarge: {on-demand: 1.1}
  ml.p6-b200.48xlarge: {on-demand: 100, spot: 7}
"""


def written(folder: Path, text: str = LIST) -> str:
    file = folder / "prices.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def told(*arguments: str) -> dict[str, Any]:
    outcome = dpd("cost", PROD, "--format", "json", *arguments)
    assert outcome.status == 0, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    return found


def test_nodes_times_prices(tmp_path: Path) -> None:
    found = told("--prices", written(tmp_path))
    assert [(g["group"], g["per_hour"], g["max_per_hour"]) for g in found["groups"]] == [
        ("system", 3.3, 3.3),
        ("prefill", 300.0, 400.0),
        ("decode", 100.0, 200.0),
    ]
    assert (found["total"]["per_hour"], found["total"]["max_per_hour"]) == (403.3, 603.3)
    assert found["prices"] == {
        "currency": "EUR",
        "date": "2026-11-30",
        "source": "an agreement",
        "missing": [],
    }


def test_the_text_says_the_sum_the_month_and_what_is_left_out(tmp_path: Path) -> None:
    out = dpd("cost", PROD, "--prices", written(tmp_path)).out
    assert "403.30 EUR an hour for the nodes now, at most 603.30; 294,409.00 to 440,409.00" in out
    assert "prices of 2026-11-30, an agreement" in out and "NAT gateways" in out
    assert re.search(r"^prefill .* 300.00 +400.00$", out, re.MULTILINE)
    assert "no price" not in out


def test_a_type_or_a_way_of_buying_without_a_price_is_in_no_sum(tmp_path: Path) -> None:
    file = written(tmp_path, LIST.replace("on-demand: 100, ", ""))
    found = told("--prices", file)
    assert found["total"]["per_hour"] == 3.3
    assert found["prices"]["missing"] == ["ml.p6-b200.48xlarge on-demand"]
    assert "not in the sum: ml.p6-b200.48xlarge on-demand" in dpd("cost", PROD, "--prices", file).out


def test_the_list_that_lies_here_is_read_and_none_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert set(told()) == {"groups", "total"}
    written(tmp_path)
    assert told()["total"]["per_hour"] == 403.3


@pytest.mark.parametrize(
    ("old", "new", "status", "says"),
    [
        ("currency: EUR", "currency: euro", 1, "currency"),
        ('"2026-11-30"', '"2026-13-30"', 1, "date"),
        ("on-demand: 1.1", "on-demand: -1", 1, "per_hour"),
        ("on-demand: 1.1", "reserved: 1", 1, "reserved"),
        ("source:", "sauce:", 1, "sauce"),
        ("currency: EUR", "currency: EUR\ncurrency: USD", 1, "twice"),
        (LIST, "a: *b", 2, "not valid YAML"),
        (LIST, "", 2, "0 YAML documents"),
    ],
)
def test_a_faulty_list_is_refused_by_its_line(
    tmp_path: Path, old: str, new: str, status: int, says: str
) -> None:
    file = written(tmp_path, LIST.replace(old, new))
    outcome = dpd("cost", PROD, "--prices", file)
    assert outcome.status == status and says in outcome.err and file in outcome.err
    assert outcome.out == ""


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    outcome = dpd("cost", PROD, "--prices", str(tmp_path / "none.yaml"))
    assert outcome.status == 2 and "no such file" in outcome.err


def test_the_documented_list_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "cost.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert (
        told("--prices", written(tmp_path, block))["prices"]["currency"] == yaml.safe_load(block)["currency"]
    )
