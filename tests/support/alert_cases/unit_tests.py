"""Input of ``promtool test rules``: the cases of an alert, at true durations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hyperpod_dpd.observability.rules import EndpointRules, render
from tests.support.alert_cases.case import Case
from tests.support.alert_cases.catalogue import CASES
from tests.support.promql import references


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTest:
    """The rules that one alert needs, out of the rendered ones, and its cases for one step of time.

    promtool evaluates every rule it is given at every step: the other alerts would cost minutes.
    """

    name: str
    rules: dict[str, Any]
    tests: dict[str, Any]


def unit_tests(rules: EndpointRules, alert: str, prefix: str = "") -> list[UnitTest]:
    """``tests`` refers to the rules as <name>.rules.yaml beside it."""
    needed = needed_rules(render(rules), alert)
    (rule,) = (item for group in needed["groups"] for item in group["rules"] if item.get("alert") == alert)
    cases = CASES[alert](rules.signals)
    found = []
    for step in sorted({case.step for case in cases}):
        name = f"{prefix}{alert}-{step}"
        tests = {
            "rule_files": [f"{name}.rules.yaml"],
            "evaluation_interval": step,
            "group_eval_order": [group["name"] for group in needed["groups"]],
            "tests": [_test(rule, case) for case in cases if case.step == step],
        }
        found.append(UnitTest(name=name, rules=needed, tests=tests))
    return found


def needed_rules(rendered: dict[str, Any], alert: str) -> dict[str, Any]:
    """The alert and, through any number of steps, the recorded series that it reads."""
    every = {
        rule.get("record") or rule["alert"]: rule for group in rendered["groups"] for rule in group["rules"]
    }
    wanted, waiting = {alert}, [alert]
    while waiting:
        for name, _ in references(every[waiting.pop()]["expr"]):
            if name in every and name not in wanted:
                wanted.add(name)
                waiting.append(name)
    groups = []
    for group in rendered["groups"]:
        rules = [rule for rule in group["rules"] if (rule.get("record") or rule["alert"]) in wanted]
        if rules:
            groups.append({**group, "rules": rules})
    return {"groups": groups}


def _test(rule: dict[str, Any], case: Case) -> dict[str, Any]:
    expected = [
        {"exp_labels": {**rule["labels"], **labels}, "exp_annotations": _filled(rule["annotations"], labels)}
        for labels in (case.labels if case.fires else ())
    ]
    return {
        "name": f"{rule['alert']}: {case.name}",
        "interval": case.step,
        "input_series": [{"series": name, "values": values.strip()} for name, values in case.series.items()],
        "alert_rule_test": [{"eval_time": case.at, "alertname": rule["alert"], "exp_alerts": expected}],
    }


def _filled(annotations: Mapping[str, str], labels: Mapping[str, str]) -> dict[str, str]:
    """Annotations of a firing alert with its label templates filled in."""
    return {
        key: re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda m: labels[m[1]], text)
        for key, text in annotations.items()
    }
