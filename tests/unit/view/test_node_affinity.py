"""Which instance types a node affinity asks for."""

from __future__ import annotations

from typing import Any

import pytest

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.view.node_affinity import required_types


def affinity(*expressions: dict[str, Any], kind: str = "required") -> dict[str, Any]:
    return {
        f"{kind}DuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [*expressions]}]
        }
    }


def expression(operator: str, *values: str, key: str = names.INSTANCE_TYPE_LABEL) -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


def test_types_listed_with_in_are_asked_for_each_at_its_place() -> None:
    found = required_types(affinity(expression("In", "ml.p5.48xlarge", "ml.p5en.48xlarge")))
    assert [name for name, _ in found] == ["ml.p5.48xlarge", "ml.p5en.48xlarge"]
    assert [path[-2:] for _, path in found] == [("values", 0), ("values", 1)]


@pytest.mark.parametrize("operator", ["NotIn", "Exists", "DoesNotExist", "Gt"])
def test_another_operator_asks_for_no_type(operator: str) -> None:
    assert required_types(affinity(expression(operator, "ml.p5.48xlarge"))) == []


def test_another_label_and_a_preference_ask_for_none() -> None:
    assert required_types(affinity(expression("In", "a", key="zone"))) == []
    assert required_types(affinity(expression("In", "ml.p5.48xlarge"), kind="preferred")) == []
    assert required_types(None) == []
