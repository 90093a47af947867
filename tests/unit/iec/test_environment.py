"""Environment variables by name, with their places."""

from __future__ import annotations

import pytest

from hyperpod_dpd.iec.environment import read_environment

PATH = ("spec", "worker", "environmentVariables")


def test_values_and_places():
    environment = read_environment(
        [{"name": "A", "value": "1"}, {"name": "PD_BUFFER_SIZE", "value": "8"}], PATH
    )
    assert environment.value("PD_BUFFER_SIZE") == "8"
    assert environment.where("PD_BUFFER_SIZE") == (*PATH, 1, "value")
    assert environment.value("B") is None
    assert environment.where("B") is None
    assert environment.duplicates == {}


def test_secrets_have_no_value():
    environment = read_environment(
        [{"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}], PATH
    )
    assert environment["HF_TOKEN"].from_secret
    assert environment.value("HF_TOKEN") is None
    assert environment.where("HF_TOKEN") == (*PATH, 0, "valueFrom")


def test_last_duplicate_counts_and_all_are_named():
    environment = read_environment([{"name": "A", "value": "1"}, {"name": "A", "value": "2"}], PATH)
    assert environment.value("A") == "2"
    assert environment.duplicates == {"A": ((*PATH, 0), (*PATH, 1))}


@pytest.mark.parametrize("variables", [None, "A=1", {"A": 1}, [None, 3, {"value": "x"}, {"name": 3}]])
def test_anything_else_is_empty(variables):
    assert dict(read_environment(variables, PATH)) == {}


def test_absent_value_is_the_empty_string_as_in_kubernetes():
    environment = read_environment(
        [{"name": "A"}, {"name": "B", "value": None}, {"name": "C", "value": 0}], PATH
    )
    assert [environment.value(name) for name in "ABC"] == ["", "", "0"]
