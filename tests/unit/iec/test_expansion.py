"""References in variables and arguments, as the kubelet expands them."""

from __future__ import annotations

import pytest

from hyperpod_dpd.iec.environment import read_environment
from hyperpod_dpd.iec.expansion import expand, expand_items


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$(A)", "1"),
        ("x$(A)y$(B)", "x1y2"),
        ("$$(A)", "$(A)"),
        ("$$$(A)", "$1"),
        ("$A and ${A}", "$A and ${A}"),  # a shell's, not the kubelet's
        ("$(A", "$(A"),
        ("$(MISSING)", None),
        ("$(SECRET)0", None),
        ("$(EMPTY)", ""),
    ],
)
def test_expansion(text: str, expected: str | None) -> None:
    assert expand(text, {"A": "1", "B": "2", "SECRET": None, "EMPTY": ""}) == expected


def test_variables_are_expanded_in_order_of_definition() -> None:
    found = read_environment(
        [
            {"name": "EARLY", "value": "$(LATE)"},
            {"name": "LATE", "value": "8"},
            {"name": "BOTH", "value": "$(LATE)$(LATE)"},
            {"name": "CHAIN", "value": "$(BOTH)0"},
            {"name": "UNKNOWN", "value": "$(EARLY)"},
        ],
        ("env",),
    )
    assert {name: variable.value for name, variable in found.items()} == {
        "EARLY": None, "LATE": "8", "BOTH": "88", "CHAIN": "880", "UNKNOWN": None,
    }  # fmt: skip
    assert found["EARLY"].source == "reference"
    assert found.where("EARLY") == ("env", 0, "value")


def test_items_that_cannot_be_resolved_stay_as_written() -> None:
    items = ["--port", "$(PORT)", "--seed=$(SEED)", 8, {"a": 1}]
    assert expand_items(items, {"PORT": "8000"}) == ["--port", "8000", "--seed=$(SEED)", 8, {"a": 1}]
    assert expand_items("$(PORT)", {"PORT": "8000"}) == "$(PORT)"


def test_settings_are_followed_into_a_secret_and_credentials_are_not() -> None:
    source = {"valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}
    names = ("PYTHONHASHSEED", "HF_TOKEN", "LMCACHE_RESP_PASSWORD", "OTHER")
    found = read_environment(
        [{"name": name, **source} for name in names], ("env",), lambda kind, name, key: f"{kind} {name} {key}"
    )
    assert [found.value(name) for name in names] == ["secret s k", None, None, None]
