"""The generated pages of docs/ are what the catalogue says now, and every rule they name exists."""

from __future__ import annotations

import difflib
import re

import pytest

from hyperpod_dpd.rules import registry
from tests.support.documents import ROOT
from tools import rules_doc

PAGES = rules_doc.pages()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_committed_page_is_the_generated_one(name: str) -> None:
    path = ROOT / "docs" / name
    committed = path.read_text("utf-8") if path.exists() else ""
    if committed != PAGES[name]:
        lines = difflib.unified_diff(
            committed.splitlines(), PAGES[name].splitlines(), f"docs/{name}", "generated", lineterm="", n=1
        )
        pytest.fail("run `make docs` and commit it\n" + "\n".join(list(lines)[:60]), pytrace=False)


def test_every_rule_has_its_line_in_the_index_and_its_page() -> None:
    links = re.findall(r"^\| \[(DPD\d+)\]\((.+?)\)", PAGES["rules.md"], re.MULTILINE)
    assert [rule for rule, _ in links] == [loaded.rule.id for loaded in registry.rules()]
    assert all(re.search(rf"^# {rule}: ", PAGES[target], re.MULTILINE) for rule, target in links)


def test_no_page_of_a_rule_is_left_over() -> None:
    assert rules_doc.left_over(PAGES) == set()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_rule_that_a_page_names_exists(name: str) -> None:
    named = set(re.findall(r"\bDPD\d{3,4}\b", PAGES[name]))
    assert {rule for rule in named if registry.find(rule) is None} == set()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_no_reference_is_left_open(name: str) -> None:
    assert re.findall(r"\(rule for \S+ to come\)", PAGES[name]) == []
