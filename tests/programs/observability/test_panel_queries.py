"""Prometheus reads every query of every board."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.document import dump_yaml
from tests.support.promtool import run
from tests.unit.observability.test_dashboards import expressions, substituted


@pytest.mark.debian
def test_every_query_passes_promtool(blueprint: Blueprint, tmp_path: Path) -> None:
    rules = [
        {"record": f"panel:{number}", "expr": substituted(expression)}
        for number, expression in enumerate(expressions(blueprint))
    ]
    assert len(rules) > 40 and "$" not in str(rules)
    file = tmp_path / "panels.yaml"
    file.write_text(dump_yaml({"groups": [{"name": "panels", "rules": rules}]}), encoding="utf-8")
    assert f"SUCCESS: {len(rules)} rules found" in run("promtool", "check", "rules", file)
