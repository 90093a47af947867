"""`dpd new`: everything a repository of one's own needs is written, and nothing that is there is lost."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

from hyperpod_dpd.cli.main import VERBS
from tests.support.command import dpd
from tests.support.documents import ROOT

FILES = {
    ".github/workflows/dpd.yaml",
    ".gitignore",
    ".pre-commit-config.yaml",
    "README.md",
    "cdk.json",
    "cdk8s.yaml",
    "constraints.txt",
    "environments/dev.yaml",
    "package-lock.json",
    "package.json",
    "requirements.txt",
}


def text(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


def found(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_an_empty_folder_becomes_a_repository_whose_document_passes(tmp_path: Path) -> None:
    made = dpd("new", str(tmp_path / "own"), "--region", "us-east-2", "--format", "json")
    assert made.status == 0
    assert json.loads(made.out) == {"wrote": sorted(FILES), "kept": []}
    assert found(tmp_path / "own") == FILES
    assert "region: us-east-2" in text(tmp_path / "own", "environments/dev.yaml")
    assert dpd("check", str(tmp_path / "own/environments")).status == 0


def test_feature_flags_are_ours_and_the_app_is_the_installed_one(tmp_path: Path) -> None:
    dpd("new", str(tmp_path))
    ours, theirs = json.loads((ROOT / "cdk.json").read_text()), json.loads(text(tmp_path, "cdk.json"))
    assert theirs["context"] == ours["context"]
    assert theirs["app"] == "python -m hyperpod_dpd.synthesis cdk"
    assert yaml.safe_load(text(tmp_path, "cdk8s.yaml"))["app"] == "python -m hyperpod_dpd.synthesis cdk8s"


def test_tools_and_packages_are_those_that_were_tested(tmp_path: Path) -> None:
    dpd("new", str(tmp_path))
    assert text(tmp_path, "package-lock.json") == (ROOT / "package-lock.json").read_text()
    pins = text(tmp_path, "constraints.txt").splitlines()[1:]
    locked = re.findall(r"^[a-z0-9][^ \\]*==[^ \\]+", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert [pin.partition(" ")[0] for pin in pins] == locked


@pytest.mark.parametrize("source", [None, "git+https://example.com/a/hyperpod-dpd@v0.1.0"])
def test_every_file_installs_from_the_same_place(source: str | None, tmp_path: Path) -> None:
    dpd("new", str(tmp_path), *(["--source", source] if source else []))
    where = f" @ {source}" if source else "=="
    assert f"hyperpod-dpd[cdk,live]{where}" in text(tmp_path, "requirements.txt")
    (hook,) = yaml.safe_load(text(tmp_path, ".pre-commit-config.yaml"))["repos"][0]["hooks"]
    assert hook["additional_dependencies"][0].startswith(f"hyperpod-dpd{where}")


def test_what_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine\n")
    (tmp_path / "environments").mkdir()
    (tmp_path / "environments/prod.yaml").write_text("account: 1\n")
    made = dpd("new", str(tmp_path))
    assert made.status == 0 and "left as they are: README.md" in made.out
    assert text(tmp_path, "README.md") == "mine\n"
    assert found(tmp_path) == (FILES - {"environments/dev.yaml"}) | {"environments/prod.yaml"}


def test_a_new_release_renews_what_it_brought_and_no_more(tmp_path: Path) -> None:
    dpd("new", str(tmp_path))
    for name in ("constraints.txt", "requirements.txt"):
        (tmp_path / name).write_text("old\n")
    renewed = dpd("new", str(tmp_path), "--renew", "--format", "json")
    assert json.loads(renewed.out)["wrote"] == [
        "cdk.json",
        "constraints.txt",
        "package-lock.json",
        "package.json",
    ]
    assert text(tmp_path, "constraints.txt") != "old\n" and text(tmp_path, "requirements.txt") == "old\n"


@pytest.mark.parametrize("package", [None, '{"name": "theirs"}', "not JSON", "[]"])
def test_a_foreign_folder_is_not_renewed(package: str | None, tmp_path: Path) -> None:
    if package is not None:
        (tmp_path / "package.json").write_text(package)
    refused = dpd("new", str(tmp_path), "--renew")
    assert refused.status == 2 and "was not made by `dpd new`" in refused.err
    assert found(tmp_path) == ({"package.json"} if package else set())


def test_a_path_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = dpd("new", str(tmp_path / "file"))
    assert refused.status == 2 and "cannot be written" in refused.err


def test_commands_of_the_workflow_and_the_page_exist(tmp_path: Path) -> None:
    dpd("new", str(tmp_path))
    steps = yaml.safe_load(text(tmp_path, ".github/workflows/dpd.yaml"))["jobs"]["render"]["steps"]
    lines = [line for step in steps for line in step.get("run", "").splitlines() if line.startswith("dpd ")]
    assert len(lines) == 3
    for line in lines:
        words = shlex.split(re.sub(r"\$\{\{.*?\}\}", "main", line))
        assert words[1] in VERBS
        assert all(word in dpd(words[1], "--help").out for word in words if word.startswith("--"))
