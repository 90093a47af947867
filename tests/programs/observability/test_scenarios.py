"""Recorded hours against all rules at once, at true durations: what must fire does, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.observability.rules import EndpointRules, render
from hyperpod_dpd.observability.scenarios.catalogue import LIVE
from hyperpod_dpd.observability.scenarios.scenario import Scenario
from tests.support.observed import rules_of, wide
from tests.support.promtool import run
from tests.support.scenarios.faults import FAULTS
from tests.support.scenarios.healthy import HEALTHY
from tests.support.scenarios.spelling import promtool_series

EVERY = (*LIVE, *HEALTHY, *FAULTS)


def alerts_of(scenario: Scenario, rules: EndpointRules, folder: Path) -> set[str]:
    """Alerts that fire at some minute of the scenario."""
    (folder / "rules.yaml").write_text(dump_yaml(render(rules)), encoding="utf-8")
    recording = scenario.record(rules.signals)
    firing = 'group by (alertname) (count_over_time(ALERTS{alertstate="firing"}[3d]))'
    step = f"{scenario.step_seconds}s"
    test = {
        "rule_files": ["rules.yaml"],
        "evaluation_interval": step,
        "group_eval_order": [group.name for group in rules.groups],
        "tests": [
            {
                "interval": step,
                "input_series": promtool_series(recording),
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
@pytest.mark.parametrize("scenario", (*LIVE[1:], *FAULTS), ids=lambda scenario: scenario.name)
def test_exactly_the_expected_alerts_fire(scenario: Scenario, tmp_path: Path) -> None:
    assert alerts_of(scenario, wide(objectives=False), tmp_path) == scenario.alerts


@pytest.mark.debian
@pytest.mark.parametrize("scenario", (LIVE[0], *HEALTHY), ids=lambda scenario: scenario.name)
def test_nothing_fires_in_healthy_hours(scenario: Scenario, tmp_path: Path) -> None:
    """With objectives declared, so that every alert there is has the chance."""
    rules = wide(objectives=True)
    assert len(rules.signals.objectives) == 3
    assert [item.alert for item in rules.omitted] == ["DpdTrafficStopped"]
    assert alerts_of(scenario, rules, tmp_path) == set()


@pytest.mark.debian
@pytest.mark.parametrize("scenario", LIVE, ids=lambda scenario: scenario.name)
def test_an_endpoint_of_one_and_one(scenario: Scenario, tmp_path: Path) -> None:
    (rules,) = rules_of("dev")
    assert alerts_of(scenario, rules, tmp_path) == scenario.alerts


def test_every_alert_is_fired_by_some_scenario() -> None:
    """But for objectives: theirs are days long and stand beside the alerts."""
    made = {alert.name for alert in wide(objectives=False).alerts}
    assert made == set().union(*(scenario.alerts for scenario in EVERY))


def test_scenarios_are_told_apart_by_name() -> None:
    assert len({scenario.name for scenario in EVERY}) == len(EVERY)
    assert all(not scenario.alerts for scenario in HEALTHY)
