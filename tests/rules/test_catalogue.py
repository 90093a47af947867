"""The catalogue as a whole: unique, explained, in order, and complete on its one page."""

from __future__ import annotations

import re
from pathlib import Path

from hyperpod_dpd.rules import catalogue, registry
from hyperpod_dpd.rules.page import explained
from hyperpod_dpd.rules.rule import AppliesTo, LoadedRule
from tests.support.documents import ROOT

FOLDER = ROOT / "lib" / "hyperpod_dpd" / "rules"


def rule_files() -> list[Path]:
    return sorted(FOLDER.glob("*/dpd*.py"))


def number_of(module: str) -> str:
    match = re.match(r"dpd(\d+)_", module)
    assert match, module
    return match[1]


def test_every_rule_file_is_registered_and_every_entry_exists() -> None:
    registered = {f"{topic}/{module}.py" for topic, modules in catalogue.RULES.items() for module in modules}
    assert registered == {f"{p.parent.name}/{p.name}" for p in rule_files()}


def test_modules_of_a_topic_are_listed_in_order() -> None:
    for topic, modules in catalogue.RULES.items():
        numbers = [int(number_of(module)) for module in modules]
        assert numbers == sorted(numbers), topic


def test_file_names_carry_the_id() -> None:
    for topic, modules in catalogue.RULES.items():
        for module in modules:
            number = number_of(module)
            assert registry.find(f"DPD{number}") is not None, f"{topic}/{module}"


def test_ids_names_and_titles_are_unique() -> None:
    rules = [loaded.rule for loaded in registry.rules()]
    for attribute in ("id", "name", "title"):
        values = [getattr(rule, attribute) for rule in rules]
        assert len(set(values)) == len(values), attribute


def test_every_rule_is_explained() -> None:
    for loaded in registry.rules():
        for heading, text in explained(loaded):
            assert text, f"{loaded.rule.id} lacks '{heading}'"
        assert loaded.rule.sources, loaded.rule.id
        assert loaded.rule.fix[0].islower(), f"{loaded.rule.id}: a fix is an instruction"
        assert re.match(r"^[a-z]+(-[a-z0-9]+)*$", loaded.rule.name), loaded.rule.id


def test_a_rule_without_a_function_belongs_to_the_engine() -> None:
    def without(loaded: LoadedRule) -> bool:
        return loaded.check is None

    assert {r.rule.id for r in registry.rules() if without(r)} == {
        r.rule.id for r in registry.rules() if r.rule.applies_to is AppliesTo.ENGINE
    }


def test_folders_of_one_kind_hold_every_rule_of_that_kind_and_no_other() -> None:
    for topic, kind in catalogue.OF_ONE_KIND.items():
        ids = {f"DPD{number_of(module)}" for module in catalogue.RULES[topic]}
        assert ids == {r.rule.id for r in registry.rules() if r.rule.applies_to is kind}, topic


def test_rules_for_a_kind_are_those_of_the_whole_catalogue() -> None:
    for kind in AppliesTo:
        assert registry.rules_for((kind,)) == tuple(r for r in registry.rules() if r.rule.applies_to is kind)
