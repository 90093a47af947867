"""Prometheus's own judgement of the rendered rules: syntax, and each alert at true durations."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.observability.rules import EndpointRules, alert_names, render
from tests.support.alert_cases.catalogue import CASES
from tests.support.alert_cases.unit_tests import UnitTest, unit_tests
from tests.support.observed import ALL, rules_of
from tests.support.promtool import run


@pytest.mark.debian
def test_rules_are_valid(rules: tuple[EndpointRules, ...], tmp_path: Path) -> None:
    for each in rules:
        file = tmp_path / f"{each.signals.endpoint}.yaml"
        file.write_text(dump_yaml(render(each)), encoding="utf-8")
        total = sum(len(group.alerts) + len(group.recordings) for group in each.groups)
        assert f"SUCCESS: {total} rules found" in run("promtool", "check", "rules", file)


@pytest.mark.debian
@pytest.mark.parametrize("alert", alert_names())
def test_an_alert_fires_and_nearly_fires(alert: str, tmp_path: Path) -> None:
    files = []
    for test in _tests_of(alert):
        (tmp_path / f"{test.name}.rules.yaml").write_text(dump_yaml(test.rules), encoding="utf-8")
        files.append(tmp_path / f"{test.name}.yaml")
        files[-1].write_text(dump_yaml(test.tests), encoding="utf-8")
    assert files, f"no environment of the tests has {alert}"
    run("promtool", "test", "rules", *files, cwd=tmp_path)


@pytest.mark.parametrize("alert", alert_names())
def test_an_alert_has_both_kinds_of_case(alert: str) -> None:
    for name in ALL:
        for each in rules_of(name):
            if alert in {item.name for item in each.alerts}:
                assert {case.fires for case in CASES[alert](each.signals)} == {True, False}, name


def test_cases_are_of_alerts_that_exist() -> None:
    assert tuple(sorted(CASES)) == alert_names()


def _tests_of(alert: str) -> list[UnitTest]:
    """Those of every endpoint that has the alert; what differs in the environment's name alone is asked once."""
    found: dict[str, UnitTest] = {}
    for environment in ALL:
        for each in rules_of(environment):
            if alert in {item.name for item in each.alerts}:
                prefix = f"{environment}-{each.signals.endpoint}-"
                for test in unit_tests(each, alert, prefix):
                    told = json.dumps([test.rules, test.tests]).replace(prefix, "")
                    found.setdefault(re.sub(r'(environment\\?"(: )?=?\\?")[\w-]+', r"\1", told), test)
    return list(found.values())
