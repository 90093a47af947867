"""Input of ``promtool test rules``: every case of every alert, at true durations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.observability.promql import references
from hyperpod_dpd.observability.rules import expected_annotations, render

if TYPE_CHECKING:
    from hyperpod_dpd.observability.model import Alert, Case
    from hyperpod_dpd.observability.rules import EndpointRules


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTest:
    """The rules that one alert needs, out of the rendered ones, and its cases for one step of time.

    promtool evaluates every rule it is given at every step: the other alerts would cost minutes.
    """

    name: str
    rules: dict[str, Any]
    tests: dict[str, Any]


def unit_tests(rules: EndpointRules, *, runbook_url: str | None = None) -> list[UnitTest]:
    """``tests`` refers to the rules as <name>.rules.yaml beside it."""
    rendered = render(rules, runbook_url=runbook_url)
    found = []
    for alert in rules.alerts:
        needed = needed_rules(rendered, alert.name)
        for step in sorted({case.step for case in alert.cases}):
            cases = [case for case in alert.cases if case.step == step]
            name = f"{alert.name}-{step}"
            tests = {
                "rule_files": [f"{name}.rules.yaml"],
                "evaluation_interval": step,
                "group_eval_order": [group["name"] for group in needed["groups"]],
                "tests": [_test(alert, case, rules, runbook_url) for case in cases],
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


def _test(alert: Alert, case: Case, rules: EndpointRules, runbook_url: str | None) -> dict[str, Any]:
    expected = []
    for labels in case.labels if case.fires else ():
        expected.append(
            {
                "exp_labels": {"severity": alert.severity, **rules.signals.labels, **labels},
                "exp_annotations": expected_annotations(alert, rules, labels, runbook_url),
            }
        )
    return {
        "name": f"{alert.name}: {case.name}",
        "interval": case.step,
        "input_series": [{"series": name, "values": values.strip()} for name, values in case.series.items()],
        "alert_rule_test": [{"eval_time": case.at, "alertname": alert.name, "exp_alerts": expected}],
    }
