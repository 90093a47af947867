"""A mapping is an environment by its whole shape, not by a key that other tools use too."""

from __future__ import annotations

import pytest

from hyperpod_dpd.config.environment import Environment
from hyperpod_dpd.view.shape import ENVIRONMENT_KEYS, is_environment
from tests.support.documents import environment


def test_the_keys_are_those_of_the_document() -> None:
    assert set(Environment.model_fields) == ENVIRONMENT_KEYS


def test_an_environment_is_one_though_any_key_is_missing_or_misspelled() -> None:
    whole = environment()
    assert is_environment(whole, named=False)
    for key in whole:
        rest = {name: value for name, value in whole.items() if name != key}
        assert is_environment(rest, named=False), key
        assert is_environment({**rest, f"{key}x": whole[key]}, named=False), key


@pytest.mark.parametrize(
    "value",
    [
        {"cluster": "foo"},
        {"cluster": {"name": "x"}, "region": "us-west-2"},
        {"region": "us-west-2", "network": {"vpc": "y"}, "cluster": {"name": "x"}, "image": "z"},
        {"endpoints": {"a": {"url": "b"}}},
        {"account": "dev", "region": "us-west-2"},
    ],
)
def test_values_of_another_tool_are_none(value: dict[str, object]) -> None:
    assert not is_environment(value, named=False)


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ({"region": "us-west-2"}, True),
        ({"account": ["1"], "region": ["x"]}, True),
        ({"cluster": "foo"}, False),
        ({"region": "us-west-2", "image": "x"}, False),
        ({"account": "111122223333", "image": "x"}, True),
    ],
)
def test_a_file_that_the_user_names_gets_the_benefit_of_the_doubt(
    value: dict[str, object], is_one: bool
) -> None:
    assert is_environment(value, named=True) is is_one
