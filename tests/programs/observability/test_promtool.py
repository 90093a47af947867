"""Prometheus's own judgement of the rendered rules: syntax, and each alert at true durations."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.observability.rules import EndpointRules, render
from hyperpod_dpd.observability.unit_tests import unit_tests
from tests.support.promtool import run

pytestmark = pytest.mark.debian


def test_rules_are_valid(rules: tuple[EndpointRules, ...], tmp_path: Path) -> None:
    for each in rules:
        file = tmp_path / f"{each.signals.endpoint}.yaml"
        file.write_text(dump_yaml(render(each)), encoding="utf-8")
        total = sum(len(group.alerts) + len(group.recordings) for group in each.groups)
        assert f"SUCCESS: {total} rules found" in run("promtool", "check", "rules", file)


def test_each_alert_fires_and_nearly_fires(rules: tuple[EndpointRules, ...], tmp_path: Path) -> None:
    for each in rules:
        folder = tmp_path / each.signals.endpoint
        folder.mkdir()
        files = []
        for test in unit_tests(each):
            (folder / f"{test.name}.rules.yaml").write_text(dump_yaml(test.rules), encoding="utf-8")
            files.append(folder / f"{test.name}.yaml")
            files[-1].write_text(dump_yaml(test.tests), encoding="utf-8")
        assert files
        run("promtool", "test", "rules", *files, cwd=folder)


def test_every_alert_has_both_kinds_of_case(rules: tuple[EndpointRules, ...]) -> None:
    for each in rules:
        for alert in each.alerts:
            assert {case.fires for case in alert.cases} == {True, False}, alert.name
