"""Each alert's runbook as somebody gets it who was woken: filled in, of commands that a shell can read."""

from __future__ import annotations

import re
import subprocess

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.observability.rules import EndpointRules, alert_names, render
from hyperpod_dpd.runbooks import render as runbook
from hyperpod_dpd.runbooks.fields import endpoint_fields, environment_fields

_BLOCK = re.compile(r"^( *)```sh\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`((?:kubectl|aws|dpd|npx) [^`]+)`")
_THEIR_COLLECTOR = "hyperpod-observability-central-collector"


def commands(text: str) -> list[str]:
    blocks = [
        "\n".join(line.removeprefix(indent) for line in body.splitlines())
        for indent, body in _BLOCK.findall(text)
    ]
    return [*blocks, *_INLINE.findall(_BLOCK.sub("", text))]


def filled(blueprint: Blueprint, rules: tuple[EndpointRules, ...]) -> list[tuple[EndpointRules, str, str]]:
    return [
        (each, alert, runbook(alert, blueprint, endpoint=each.signals.endpoint))
        for each in rules
        for alert in alert_names()
    ]


def test_nothing_is_left_to_fill_in(blueprint: Blueprint, rules: tuple[EndpointRules, ...]) -> None:
    for each, alert, text in filled(blueprint, rules):
        assert "@{" not in text and "(not known)" not in text, alert
        assert each.signals.endpoint in text, alert


def test_a_shell_can_read_every_command(blueprint: Blueprint, rules: tuple[EndpointRules, ...]) -> None:
    """All commands of the environment in one script: a fault names its line."""
    script = []
    for _, alert, text in filled(blueprint, rules):
        found = commands(text)
        assert found, alert
        script += [f"{{\n{command}\n}}" for command in found]
    for each in rules:
        script += [
            rule["annotations"]["first_command"]
            for group in render(each)["groups"]
            for rule in group["rules"]
            if "alert" in rule
        ]
    done = subprocess.run(
        ["bash", "-n"], input="\n".join(script), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_the_first_command_of_the_alert_is_that_of_its_runbook(
    blueprint: Blueprint, rules: tuple[EndpointRules, ...]
) -> None:
    for each in rules:
        for group in render(each)["groups"]:
            for rule in group["rules"]:
                if "alert" in rule:
                    text = runbook(rule["alert"], blueprint, endpoint=each.signals.endpoint)
                    first = rule["annotations"]["first_command"].replace("{{ $labels.pod_name }}", "$POD")
                    assert commands(text)[0] == first, rule["alert"]


def test_alerts_and_runbooks_fill_in_the_same(blueprint: Blueprint, rules: tuple[EndpointRules, ...]) -> None:
    for each, plan in zip(rules, blueprint.endpoints, strict=True):
        fields = {**environment_fields(blueprint), **endpoint_fields(blueprint, plan)}
        assert {name: str(fields[name]) for name in each.fields} == each.fields


def test_commands_name_objects_that_exist(blueprint: Blueprint, rules: tuple[EndpointRules, ...]) -> None:
    for each, alert, text in filled(blueprint, rules):
        s = each.signals
        ours = {names.WATCH_NAMESPACE, names.OBSERVABILITY_NAMESPACE, names.OPERATOR_NAMESPACE, s.namespace}
        deployments = {
            *(s.prefill_deployment, s.decode_deployment, s.router_deployment),
            *(names.LOG_EXPORTER, names.CANARY, _THEIR_COLLECTOR, "$d"),
        }
        for command in commands(text):
            assert set(re.findall(r"kubectl -n (\S+)", command)) <= ours, alert
            assert set(re.findall(r"deployment/([^\s;]+)", command)) <= deployments, alert
