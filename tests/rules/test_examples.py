"""Every rule fires on its own example and is silent on the same part put right."""

from __future__ import annotations

import pytest

from hyperpod_dpd.rules import registry
from hyperpod_dpd.rules.rule import AppliesTo, LoadedRule
from tests.support.documents import check_change, check_value, ids, spoiled
from tests.support.templates import judge_templates, spoiled_template

WITH_EXAMPLE = [
    r for r in registry.rules() if r.rule.example and r.rule.example.of in {"manifest", "environment"}
]


@pytest.fixture(params=WITH_EXAMPLE, ids=lambda loaded: loaded.rule.id)
def loaded(request: pytest.FixtureRequest) -> LoadedRule:
    rule: LoadedRule = request.param
    return rule


WITH_TEMPLATE = [r for r in registry.rules() if r.rule.example and r.rule.example.of == "template"]


@pytest.mark.parametrize("loaded", WITH_TEMPLATE, ids=lambda r: r.rule.id)
def test_the_template_before_fires_and_after_is_silent(loaded: LoadedRule, tmp_path) -> None:
    example = loaded.rule.example
    assert example is not None
    before = {f.id for f in judge_templates(tmp_path, spoiled_template(example.before))}
    after = {f.id for f in judge_templates(tmp_path, spoiled_template(example.after))}
    assert loaded.rule.id in before
    assert loaded.rule.id not in after
    assert "DPD001" not in before | after


def options(loaded: LoadedRule):
    """A rule about a release needs one to be declared; manifests do not name theirs."""
    from hyperpod_dpd.catalog.versions import OperatorRelease
    from hyperpod_dpd.rules.check import Options

    return Options(operator=OperatorRelease.parse("3.4")) if "operator" in loaded.rule.tags else None


def test_the_example_before_fires(loaded: LoadedRule, tmp_path) -> None:
    example = loaded.rule.example
    assert example is not None
    report = check_value(spoiled(example.before, of=example.of), tmp_path, options=options(loaded))
    assert loaded.rule.id in ids(report)
    assert not [f for f in report.findings if f.id == "DPD001"]


def test_the_example_after_is_silent(loaded: LoadedRule, tmp_path) -> None:
    example = loaded.rule.example
    assert example is not None
    report = check_value(spoiled(example.after, of=example.of), tmp_path, options=options(loaded))
    assert loaded.rule.id not in ids(report)
    assert not [f for f in report.findings if f.id in {"DPD001", "DPD002"}]


def test_every_rule_with_a_function_has_an_example() -> None:
    without = [
        r.rule.id
        for r in registry.rules()
        if r.rule.example is None and r.rule.applies_to not in {AppliesTo.ENGINE, AppliesTo.OBJECT}
    ]
    assert not without


OF_CHANGE = [r for r in registry.rules() if r.rule.example and r.rule.example.of == "change"]


@pytest.mark.parametrize("loaded", OF_CHANGE, ids=lambda loaded: loaded.rule.id)
def test_the_example_of_a_change_fires_and_its_remedy_is_silent(loaded: LoadedRule, tmp_path) -> None:
    example = loaded.rule.example
    assert example is not None
    previous = spoiled(example.previous)
    assert loaded.rule.id in ids(check_change(previous, spoiled(example.before), tmp_path))
    found = ids(check_change(previous, spoiled(example.after), tmp_path))
    assert not {loaded.rule.id, "DPD001"} & found
