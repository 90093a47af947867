"""The command as somebody meets it: the examples of its help, wrong usage, odd terminals, closed pipes, Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hyperpod_dpd.cli.main import VERBS
from hyperpod_dpd.cli.main import dpd as group
from hyperpod_dpd.document import dump_yaml
from tests.support import published_models
from tests.support.command import Outcome, dpd
from tests.support.documents import ENVIRONMENTS, ROOT, environment, manifest

SCRIPT = [sys.executable, "-c", "from hyperpod_dpd.cli.main import main; main()"]
NEEDS_AN_ACCOUNT = re.compile(r"dpd (preflight|nodes|outputs pull|images (pin|mirror)) ")
NEEDS_GIT = "--previous"


def commands(found: click.Command, *names: str) -> Iterator[tuple[str, str]]:
    """Every verb and sub-verb with each example that its help shows."""
    outcome = dpd(*names, "--help")
    text = outcome.out.split("Example", 1)[1]
    for line in text.splitlines():
        line = line.strip().removeprefix("s:").removeprefix(":").strip()
        if "dpd " in line:
            yield " ".join(names), line.partition("   #")[0]
    if isinstance(found, click.Group):
        for name in found.list_commands(click.Context(found)):
            child = found.get_command(click.Context(found), name)
            assert child is not None
            yield from commands(child, *names, name)


EXAMPLES = list(commands(group))
# What does nothing without a sub-verb.
GROUPS = {"", *(name for name, each in group.commands.items() if isinstance(each, click.Group))}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the help has in mind: environments, rendered manifests, a model, and programs it calls."""
    shutil.copytree(ENVIRONMENTS, tmp_path / "environments")
    for place in ("dist/dev", "gitops"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "llama.yaml").write_text(dump_yaml(manifest()), encoding="utf-8")
    assembly = tmp_path / "cdk.out" / "assembly-prod"
    assembly.mkdir(parents=True)
    (assembly / "manifest.json").write_text('{"artifacts": {}}', encoding="utf-8")
    prices = {"currency": "USD", "date": "2026-11-30", "per_hour": {"ml.m5.4xlarge": {"on-demand": 1.5}}}
    (tmp_path / "prices.yaml").write_text(dump_yaml(prices), encoding="utf-8")
    programs = tmp_path / "programs"
    programs.mkdir()
    _program(
        programs / "dpd", f'exec "{sys.executable}" -c "from hyperpod_dpd.cli.main import main; main()" "$@"'
    )
    _program(programs / "kubectl", f'exec cat "{tmp_path}/gitops/llama.yaml"')
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return tmp_path


def _program(file: Path, line: str) -> None:
    file.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    file.chmod(0o755)


def shell(line: str, folder: Path) -> Outcome:
    result = subprocess.run(
        ["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    return Outcome(result.returncode, result.stdout, result.stderr)


def test_every_verb_has_an_example() -> None:
    assert {names.split(" ")[0] for names, _ in EXAMPLES} == {"", *VERBS}


@pytest.mark.parametrize("line", [line for _, line in EXAMPLES])
def test_an_example_works_as_it_stands(line: str, home: Path) -> None:
    if "config.json" in line:
        config = published_models.config("Llama-3.3-70B-Instruct")
        (home / "config.json").write_text(json.dumps(config), encoding="utf-8")
    if NEEDS_GIT in line:
        git = "git -c user.name=a -c user.email=a@example.com -c commit.gpgsign=false"
        made = shell(
            f"git init -q . && git add -A && {git} commit -qm a && {git} commit -qm b --allow-empty", home
        )
        assert made.status == 0, made.err
    if "environments/mine.yaml" in line:
        assert shell("dpd init mine", home).status == 0
    online = NEEDS_AN_ACCOUNT.search(line)
    outcome = shell(line.partition(" && ")[0] if online else line, home)
    assert "Traceback" not in outcome.err and "internal error" not in outcome.err, outcome.err
    assert "Usage:" not in outcome.err, outcome.err
    if online:
        assert outcome.status in (0, 1, 2) and outcome.err.count("\n") <= 4
    else:
        assert outcome.status == 0, (outcome.out[-500:], outcome.err)


def test_examples_are_lines_of_their_own_however_narrow_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = [line.strip() for line in dpd("check", "--help").out.splitlines()]
    assert "kubectl get inferenceendpointconfigs -A -o yaml | dpd check -" in lines
    assert "dpd check environments/ dist/" in lines


def test_findings_fit_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    file = tmp_path / "a.yaml"
    file.write_text("account: x\nregion: us-west-2\n", encoding="utf-8")
    told = [line for line in dpd("check", str(file)).out.splitlines() if line.startswith("    ")]
    assert told and max(map(len, told)) <= 40


WRONG: tuple[tuple[str, ...], ...] = (
    ("nope",),
    ("check",),
    ("check", "nope.yaml"),
    ("check", ""),
    ("check", "--format", "xml", "x"),
    ("check", "--operator", "abc", "x"),
    ("check", "--previous", "nope", "environments/dev.yaml"),
    ("check", "--model-config", "nope", "environments/dev.yaml"),
    ("check", "--crd", "nope", "environments/dev.yaml"),
    ("rules", "DPD99999"),
    ("schema", "--format", "xml"),
    ("cost", "nope"),
    ("lock", "nope"),
    ("preflight", "nope"),
    ("outputs",),
    ("outputs", "pull", "nope"),
    ("teardown", "dev"),
    ("teardown", "dev", "--endpoint", "nope", "--plan"),
    ("kv",),
    ("kv", "nope"),
    ("kv", "environments/dev.yaml"),
    ("init", "a b"),
    ("init", "dev"),
    ("new",),
    ("new", "environments", "--renew"),
    ("new", "fresh", "--region", "nope"),
    ("dashboards", "nope"),
    ("dashboards", "dev", "--out", "environments/dev.yaml"),
    ("import", "nope"),
    ("images",),
    ("images", "pin", "nope"),
    ("runbook", "nope", "dev"),
    ("runbook", "walkthrough", "nope"),
)


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_wrong_usage_is_told_in_a_line_and_ends_with_2(
    arguments: tuple[str, ...], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    outcome = dpd(*arguments)
    assert outcome.status == 2
    assert "Traceback" not in outcome.err and "internal error" not in outcome.err
    assert outcome.err.strip() or "Usage:" in outcome.out


@pytest.mark.parametrize("verb", ["check", "cost", "teardown", "dashboards", "kv", "import", "runbook"])
def test_a_file_that_is_not_utf_8_is_told(verb: str, tmp_path: Path) -> None:
    file = tmp_path / "latin.yaml"
    file.write_bytes(b"a: caf\xe9\n")
    arguments = {"runbook": ["walkthrough", str(file)], "teardown": [str(file), "--plan"]}.get(
        verb, [str(file)]
    )
    outcome = dpd(verb, *arguments)
    assert outcome.status == 2 and "UTF-8" in outcome.err


@pytest.mark.parametrize("verb", [names for names, _ in EXAMPLES if names.split(" ")[-1] not in GROUPS])
def test_ctrl_c_ends_a_verb_without_a_traceback(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(click.Context, "invoke", interrupted)
    outcome = dpd(*verb.split(" "), *([] if verb in ("runbook", "rules", "schema") else ["dev"]))
    assert (outcome.status, outcome.err.strip()) == (130, "interrupted")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["rules"], 0),
        (["rules", "--format", "json"], 0),
        (["schema"], 0),
        (["kv", "--list"], 0),
        (["check", "environments", "--format", "json"], 0),
        (["check", "broken.yaml", "--format", "json"], 1),
        (["check", "broken.yaml"], 1),
    ],
)
def test_a_reader_that_leaves_early_changes_no_verdict(arguments: list[str], status: int, home: Path) -> None:
    value = {**environment(), "region": "us-east-1"}
    (home / "broken.yaml").write_text(dump_yaml(value), encoding="utf-8")
    process = subprocess.Popen(
        [*SCRIPT, *arguments], cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (status, "")


@pytest.mark.parametrize("arguments", [["rules"], ["check", "environments", "--format", "json"], ["schema"]])
def test_a_full_disk_is_told(arguments: list[str], home: Path) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [*SCRIPT, *arguments], cwd=home, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == 2
    assert "No space left" in result.stderr and result.stderr.count("\n") == 1


def test_closed_standard_input_is_told(home: Path) -> None:
    outcome = shell("dpd check - <&-", home)
    assert (outcome.status, outcome.err) == (2, "error: -: standard input is closed\n")


def test_a_terminal_without_utf_8_gets_escapes_not_an_error(home: Path) -> None:
    folder = home / "caf\u00e9"
    folder.mkdir()
    (folder / "d\u00e9v.yaml").write_text(
        dump_yaml({**environment(), "region": "us-east-1"}), encoding="utf-8"
    )
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    result = subprocess.run(
        [*SCRIPT, "check", str(folder)], cwd=home, capture_output=True, env=environ, check=False
    )
    assert result.returncode == 1 and b"DPD224" in result.stdout and result.stderr == b""


def test_colour_is_for_terminals_that_want_it(home: Path) -> None:
    def shown(**more: str) -> str:
        parent, child = pty.openpty()
        process = subprocess.Popen(
            [*SCRIPT, "check", "environments/dev.yaml"],
            cwd=home,
            stdout=child,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **more},
        )
        os.close(child)
        parts = []
        while True:
            try:
                data = os.read(parent, 65536)
            except OSError:
                break
            if not data:
                break
            parts.append(data)
        process.wait(timeout=60)
        os.close(parent)
        return b"".join(parts).decode()

    assert "\x1b[" in shown(TERM="xterm")
    assert "\x1b[" not in shown(TERM="xterm", NO_COLOR="1")
    assert "\x1b[" not in dpd("check", str(home / "environments" / "dev.yaml")).out


def test_json_is_the_same_every_time(home: Path) -> None:
    runs = {dpd("check", str(home / "environments"), "--format", "json").out for _ in range(2)}
    assert len(runs) == 1
    assert json.loads(runs.pop())["summary"]["error"] == 0


def test_shells_complete_verbs(home: Path) -> None:
    line = 'COMP_WORDS="dpd ch" COMP_CWORD=1 _DPD_COMPLETE=bash_complete dpd'
    assert "check" in shell(line, home).out
    assert "complete" in shell("_DPD_COMPLETE=bash_source dpd", home).out
