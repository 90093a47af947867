"""Single faults in the rendered templates of the examples are said by the rule that is meant to say them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.rules.finding import Finding
from tests.support.documents import ROOT
from tests.support.synthesis import NAMES, rendered
from tests.support.templates import judge_templates

SPOILINGS = yaml.safe_load((ROOT / "tests" / "rules" / "template_spoilings.yaml").read_text(encoding="utf-8"))


def spoil(templates: dict[str, Any], spoiling: dict[str, Any]) -> None:
    """Puts the fault into the first resource that fits."""
    template, logical_id = next(
        (template, logical_id)
        for template in templates.values()
        for logical_id, body in template["Resources"].items()
        if body["Type"] == spoiling["of"] and spoiling.get("id", "") in logical_id
    )
    body = template["Resources"][logical_id]
    if "key" in spoiling:
        del body[spoiling["key"]]
    elif "at" not in spoiling:
        del template["Resources"][logical_id]
    else:
        *way, last = [int(part) if part.isdecimal() else part for part in spoiling["at"].split(".")]
        value = body["Properties"]
        for part in way:
            value = value[part]
        if "put" not in spoiling:
            del value[last]
        elif "move" in spoiling:
            del value[last]
            value[spoiling["move"]] = spoiling["put"]
        else:
            value[last] = spoiling["put"]


def said(templates: dict[str, Any], folder: Path) -> list[Finding]:
    found = judge_templates(folder, *templates.values())
    assert "DPD001" not in {each.id for each in found}
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_have_no_finding(name: str, tmp_path: Path) -> None:
    assert said(rendered()[name].templates, tmp_path) == []


@pytest.mark.parametrize("spoiling", SPOILINGS, ids=lambda each: each["what"])
def test_a_fault_is_said(spoiling: dict[str, Any], tmp_path: Path) -> None:
    templates = copy.deepcopy(rendered()["prod"].templates)
    untouched = json.dumps(templates)
    spoil(templates, spoiling)
    assert json.dumps(templates) != untouched
    found = said(templates, tmp_path)
    assert spoiling["expect"] in {each.id for each in found if each.severity != "info"}, found
