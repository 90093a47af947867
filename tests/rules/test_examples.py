"""Every rule fires on its own example and is silent on the same part put right."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hyperpod_dpd.rules import registry
from hyperpod_dpd.rules.rule import Example, LoadedRule
from tests.support.broken import BROKEN
from tests.support.examples import KINDS, judged

WITH_EXAMPLE = [loaded for loaded in registry.rules() if loaded.rule.example]
SHAPE = {"DPD101", "DPD102", "DPD103", "DPD104", "DPD105"}


def example_of(loaded: LoadedRule) -> Example:
    assert loaded.rule.example is not None
    return loaded.rule.example


@pytest.mark.parametrize("loaded", WITH_EXAMPLE, ids=lambda loaded: loaded.rule.id)
def test_the_example_before_fires(loaded: LoadedRule, tmp_path: Path) -> None:
    found = judged(loaded.rule, example_of(loaded).before, tmp_path)
    assert loaded.rule.id in found
    assert "DPD001" not in found


@pytest.mark.parametrize("loaded", WITH_EXAMPLE, ids=lambda loaded: loaded.rule.id)
def test_the_example_after_is_silent(loaded: LoadedRule, tmp_path: Path) -> None:
    found = judged(loaded.rule, example_of(loaded).after, tmp_path)
    shape = SHAPE if example_of(loaded).of != "object" else set()
    assert not {loaded.rule.id, *BROKEN, *shape} & found


def test_every_rule_with_a_function_has_an_example_of_a_known_kind() -> None:
    assert {r.rule.id for r in registry.rules() if r.check} == {r.rule.id for r in WITH_EXAMPLE}
    assert {example_of(loaded).of for loaded in WITH_EXAMPLE} <= set(KINDS)


def nulls(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    if isinstance(value, dict):
        return [found for key, child in value.items() for found in nulls(child, (*path, key))]
    if isinstance(value, list):
        return [found for index, child in enumerate(value) for found in nulls(child, (*path, index))]
    return [path] if value is None else []


@pytest.mark.parametrize("loaded", WITH_EXAMPLE, ids=lambda loaded: loaded.rule.id)
def test_no_example_recommends_a_null(loaded: LoadedRule) -> None:
    """Who copies the part put right into a manifest must not be refused for it."""
    example = example_of(loaded)
    after = yaml.safe_load(example.after)
    if example.of in ("manifest", "change", "two manifests"):
        assert nulls(after) == []
    elif example.of in ("pair", "crd"):
        assert nulls(after.get("manifest") or {}) == []
