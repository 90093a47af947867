"""What the document, or an override of it, says stands in shell lines as a word and never as a command."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.blueprint.stacks import stacks_of
from hyperpod_dpd.blueprint.teardown import endpoint_teardown, environment_teardown
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.document import dump_yaml
from hyperpod_dpd.iec.endpoint import KIND
from hyperpod_dpd.runbooks import available, render
from tests.support.documents import environment

HOSTILE = "x'$(touch pwned)`touch pwned`\"; touch pwned"
UNQUOTED = re.compile(r"\$\(touch|`touch|; touch")
NAME = "llama-70b"


def made(tmp_path: Path, *patches: tuple[str, Any]) -> Blueprint:
    document = environment()
    operations = [{"op": "add", "path": path, "value": value} for path, value in patches]
    document["overrides"] = [{"kind": KIND, "name": NAME, "patch": operations}]
    file = tmp_path / "dev.yaml"
    file.write_text(dump_yaml(document), encoding="utf-8")
    return resolve(load_environment(file))


def shell_lines(blueprint: Blueprint) -> str:
    plans = [environment_teardown(blueprint, stacks_of(blueprint))]
    plans += [endpoint_teardown(blueprint, plan, weights=True) for plan in blueprint.endpoints]
    lines = [line for plan in plans for step in plan.steps for line in step.commands]
    return "\n".join([*lines, *(render(name, blueprint) for name in available())])


def without_quoted(text: str) -> str:
    """The text less what stands between single quotes, as a shell reads it line by line."""
    return "\n".join(re.sub(r"'[^']*'", "", line) for line in text.splitlines())


@pytest.mark.parametrize("path", ["/spec/invocationEndpoint", "/spec/endpointName"])
def test_what_an_override_writes_is_a_word(tmp_path: Path, path: str) -> None:
    text = shell_lines(made(tmp_path, (path, HOSTILE)))
    assert not UNQUOTED.search(without_quoted(text.replace("'\"'\"'", "")))


def test_the_served_name_stays_inside_its_json_and_its_quotes(tmp_path: Path) -> None:
    blueprint = made(tmp_path, ("/spec/endpointName", "x"))
    roles = tuple(
        replace(role, arguments=(*role.arguments, "--served-model-name", HOSTILE))
        for role in blueprint.endpoints[0].roles
    )
    hostile = replace(blueprint, endpoints=(replace(blueprint.endpoints[0], roles=roles),))
    bodies = re.findall(r"-d '(\{.*\})'", render("walkthrough", hostile))
    assert bodies
    for body in bodies:
        assert "'" not in body
        assert yaml.safe_load(body)["model"] == HOSTILE


@pytest.mark.parametrize("folder", ["a b", "a;id"])
def test_a_folder_is_quoted_though_its_pattern_allows_no_such_name(tmp_path: Path, folder: str) -> None:
    blueprint = made(tmp_path, ("/spec/endpointName", "x"))
    apps = replace(blueprint.apps, delivery=replace(blueprint.apps.delivery, path=folder))
    plan = environment_teardown(replace(blueprint, apps=apps), stacks_of(blueprint))
    lines = [line for step in plan.steps for line in step.commands if folder in line]
    assert lines
    assert all(line.count(folder) == line.count(f"'{folder}/") for line in lines)
