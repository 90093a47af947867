"""The pre-commit hooks and the example workflow: their commands exist, and they need the base package only."""

from __future__ import annotations

import re
import shlex
import tomllib

import pytest
import yaml

from hyperpod_dpd.cli.main import VERBS
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS, ROOT

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "ci-example.md").read_text(encoding="utf-8")
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
COMMANDS = [
    step["run"]
    for block in BLOCKS
    for step in (
        block if isinstance(block, list) else block.get("jobs", {}).get("check", {}).get("steps", [])
    )
    if step.get("run", "").startswith("dpd ")
]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_calls_the_command_on_our_files_and_no_others(hook: dict[str, object]) -> None:
    assert hook["language"] == "python" and "additional_dependencies" not in hook
    assert shlex.split(str(hook["entry"]))[:2] == ["dpd", "check"]
    matches = re.compile(str(hook["files"])).search
    for ours in ("environments/prod.yaml", "dist/prod/endpoint-a/iec.yaml", "dist/dev/a.json"):
        assert matches(ours)
    for other in ("values.yaml", "environments/outputs/prod.yaml", ".github/workflows/a.yml", "package.json"):
        assert not matches(other)


def test_the_hooks_install_base_dependencies_only() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[<>=]", dependency)[0] for dependency in project["dependencies"]}
    assert names <= {"click", "jsonpatch", "pydantic", "PyYAML"}
    assert project["scripts"]["dpd"] == "hyperpod_dpd.cli.main:main"


def test_a_hook_passes_on_a_healthy_file_and_fails_on_a_faulty_one(tmp_path) -> None:
    entry = shlex.split(HOOKS[0]["entry"])[1:]
    assert dpd(*entry, str(ENVIRONMENTS / "dev.yaml")).status == 0
    (tmp_path / "bad.yaml").write_text("account: 1\nregion: x\n", encoding="utf-8")
    assert dpd(*entry, str(tmp_path / "bad.yaml")).status == 1


def test_commands_of_the_page_have_options_that_exist() -> None:
    assert len(COMMANDS) >= 4
    for command in COMMANDS:
        words = shlex.split(re.sub(r"\$\{\{.*?\}\}", "main", command).partition(">")[0])
        assert words[1] in VERBS
        helped = dpd(words[1], "--help").out
        for option in (word for word in words if word.startswith("--")):
            assert option in helped, command


def test_the_page_names_the_hooks() -> None:
    assert all(hook["id"] in PAGE for hook in HOOKS)
