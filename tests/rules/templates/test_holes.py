"""No rule crashes on a template in which any one value is something else."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from hyperpod_dpd.document import Document
from hyperpod_dpd.rules.engine import Subject, judge
from hyperpod_dpd.rules.rule import AppliesTo
from hyperpod_dpd.view.template import TemplateView
from tests.support.templates import template

WRONG: list[Any] = [
    None, "x", 1, [], {}, [None], [[]], {"Ref": 1}, {"Ref": None}, {"Fn::GetAtt": []}, {"Fn::GetAtt": [{}]},
    {"Fn::If": "x"}, {"Fn::If": ["A", {"Ref": "AWS::NoValue"}, [1]]}, {"Fn::Sub": [{}]}, {"Fn::Join": [1]},
]  # fmt: skip


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths(item, (*path, key))


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_one_value_is_something_else(wrong: Any) -> None:
    healthy = template()
    crashed = []
    for path in paths(healthy):
        value = copy.deepcopy(healthy)
        place: Any = value
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = wrong
        found = judge(Subject(TemplateView(Document(value, "f.json")), (AppliesTo.TEMPLATE,)))
        crashed += [f"{path}: {each.message}" for each in found if each.id == "DPD001"]
    assert crashed == []
