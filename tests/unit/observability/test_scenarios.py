"""Recorded hours against all rules at once, at true durations: what must fire does, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.document import dump_yaml
from lib.observability.rules import EndpointRules, render
from lib.observability.scenarios.catalogue import EVERY, HEALTHY, LIVE, Scenario
from tests.support.observed import rules_of
from tests.support.promtool import run


def alerts_of(scenario: Scenario, rules: EndpointRules, folder: Path) -> set[str]:
    """Alerts that fire at some minute of the scenario."""
    (folder / "rules.yaml").write_text(dump_yaml(render(rules)), encoding="utf-8")
    recording = scenario.record(rules.signals)
    firing = 'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[1d]))'
    test = {
        "rule_files": ["rules.yaml"],
        "evaluation_interval": "30s",
        "group_eval_order": [group.name for group in rules.groups],
        "tests": [
            {
                "interval": "30s",
                "input_series": recording.promtool_series(),
                "promql_expr_test": [
                    {
                        "expr": firing,
                        "eval_time": f"{scenario.minutes}m",
                        "exp_samples": [
                            {"labels": f'{{alertname="{name}"}}', "value": 1}
                            for name in sorted(scenario.alerts)
                        ],
                    }
                ],
            }
        ],
    }
    file = folder / "test.yaml"
    file.write_text(dump_yaml(test), encoding="utf-8")
    run("promtool", "test", "rules", file, cwd=folder)
    return set(scenario.alerts)


@pytest.mark.debian
@pytest.mark.parametrize("scenario", EVERY, ids=lambda scenario: scenario.name)
def test_exactly_the_expected_alerts_fire(scenario: Scenario, tmp_path: Path) -> None:
    (rules,) = rules_of("dev")
    assert alerts_of(scenario, rules, tmp_path) == scenario.alerts


@pytest.mark.debian
@pytest.mark.parametrize("scenario", (LIVE[0], *HEALTHY), ids=lambda scenario: scenario.name)
def test_objectives_stay_silent_in_healthy_traffic(scenario: Scenario, tmp_path: Path) -> None:
    rules = rules_of("several")[1]
    assert len(rules.signals.objectives) == 2
    assert alerts_of(scenario, rules, tmp_path) == set()


def test_scenarios_are_told_apart_by_name() -> None:
    assert len({scenario.name for scenario in EVERY}) == len(EVERY)
    assert all(not scenario.alerts for scenario in HEALTHY)
