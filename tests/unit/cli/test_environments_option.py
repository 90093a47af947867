"""Every verb that is about one environment finds it in the folder that was named, and names the folder it used."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hyperpod_dpd.cli.main import VERBS
from hyperpod_dpd.cli.main import dpd as program
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS


def _commands(
    group: click.Group, context: click.Context, *words: str
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from _commands(found, context, *words, name)
        elif found is not None:
            yield (*words, name), found


COMMANDS = dict(_commands(program, click.Context(program)))
ABOUT_ONE = sorted(
    words for words, verb in COMMANDS.items() if any(p.name == "environment" for p in verb.params)
)


def test_the_verbs_are_found() -> None:
    assert ("cost",) in ABOUT_ONE and ("images", "pin") in ABOUT_ONE and len(ABOUT_ONE) >= 9
    assert {words[0] for words in ABOUT_ONE} < set(VERBS)


@pytest.mark.parametrize("words", ABOUT_ONE, ids=" ".join)
def test_the_folder_used_is_named(words: tuple[str, ...], tmp_path: Path) -> None:
    more = {("runbook",): ["rollout"], ("teardown",): ["--plan"]}.get(words, [])
    (tmp_path / "here.yaml").write_text("")
    outcome = dpd(*words, *more, "nowhere", "--environments", str(tmp_path))
    assert outcome.status == 2
    assert f"{tmp_path}/ holds no 'nowhere'; it holds: here" in outcome.err


def test_a_name_is_found_in_the_folder_of_the_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ENVIRONMENTS / "dev.yaml", tmp_path / "other.yaml")
    monkeypatch.setenv("DPD_ENVIRONMENTS", str(tmp_path / "nothing"))
    assert dpd("cost", "other").status == 2
    assert dpd("cost", "other", "--environments", ".").status == 0
    assert dpd("lock", "other", "--environments", ".").status == 0
    assert (tmp_path / "locks" / "other.json").is_file()


def test_init_writes_into_the_folder_of_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPD_ENVIRONMENTS", str(tmp_path / "ours"))
    assert dpd("init", "mine").status == 0
    assert (tmp_path / "ours" / "mine.yaml").is_file()
    assert dpd("init", "mine", "--environments", str(tmp_path / "theirs")).status == 0
    assert (tmp_path / "theirs" / "mine.yaml").is_file()
