"""`dpd check --previous`: a file, a folder or a git revision; what cannot be had is one clear line and status 2."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.document import dump_yaml
from tests.support.command import Outcome, dpd
from tests.support.documents import environment, manifest, spoiled

FAULTY = "account: '111122223333'\nregion: us-west-2\nnetwork: {cidr: 1}\n"
MORE = "spec: {worker: {environmentVariables: [{name: MORE, value: '1'}]}}"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


def put(folder: Path, name: str, value: Any) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(value if isinstance(value, str) else dump_yaml(value), encoding="utf-8")
    return file


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two commits of one environment and one manifest; the later ones changed."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    put(folder, "environments/dev.yaml", environment())
    put(folder, "environments/outputs/dev.yaml", "{}\n")
    put(folder, "dist/dev/a.yaml", manifest())
    put(folder, ".gitattributes", "environments export-ignore\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    buffer = "endpoints: {llama-70b: {cache: {pd_buffer_bytes: 17179869184}}}"
    put(folder, "environments/dev.yaml", spoiled(buffer, of="environment"))
    put(folder, "dist/dev/a.yaml", spoiled(MORE))
    git(folder, "commit", "-q", "-am", "second")
    monkeypatch.chdir(folder)
    return folder


def ids(outcome: Outcome) -> list[str]:
    assert outcome.err == "" and outcome.status in (0, 1), outcome
    return sorted(each["id"] for each in json.loads(outcome.out)["findings"] if each["id"] > "DPD947")


def check(*arguments: str) -> list[str]:
    return ids(dpd("check", *arguments, "--format", "json"))


def test_a_file_and_a_folder(tmp_path: Path) -> None:
    old, new = put(tmp_path, "old/a.yaml", manifest()), put(tmp_path, "new/a.yaml", spoiled(MORE))
    assert check(str(new), "--previous", str(old)) == ["DPD952", "DPD959"]
    assert check(str(new.parent), "--previous", str(old.parent)) == ["DPD952", "DPD959"]


def test_removal_is_told_only_where_both_sides_are_whole(tmp_path: Path) -> None:
    put(tmp_path, "old/a.yaml", manifest())
    put(tmp_path, "old/b.yaml", spoiled("metadata: {name: second}\nspec: {endpointName: second}"))
    new = put(tmp_path, "new/a.yaml", manifest())
    assert check(str(new.parent), "--previous", str(tmp_path / "old")) == ["DPD957"]
    assert check(str(new), "--previous", str(tmp_path / "old")) == []


@pytest.mark.parametrize("revision", ["HEAD~1", "main~1"])
@pytest.mark.parametrize("path", ["dist", "dist/dev/a.yaml", "./dist/dev"])
def test_a_revision_for_the_same_paths(repository: Path, revision: str, path: str) -> None:
    assert check(path, "--previous", revision) == ["DPD952", "DPD959"]
    assert check(path, "--previous", "HEAD") == []


@pytest.mark.parametrize("path", ["environments", "environments/dev.yaml"])
def test_an_environment_is_compared_by_what_both_documents_lead_to(repository: Path, path: str) -> None:
    assert check(path, "--previous", "HEAD~1") == ["DPD952", "DPD959"]


def test_a_path_of_a_revision(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = str(put(tmp_path, "elsewhere.yaml", spoiled(MORE)))
    assert check(new, "--previous", "HEAD~1:dist/dev/a.yaml") == ["DPD952", "DPD959"]
    monkeypatch.chdir(repository / "dist")
    assert check(new, "--previous", "HEAD~1:./dev/a.yaml") == ["DPD952", "DPD959"]
    assert check("dev/a.yaml", "--previous", "HEAD~1") == ["DPD952", "DPD959"]


def test_an_endpoint_removed_since_is_placed_in_the_revision(repository: Path) -> None:
    put(
        repository,
        "dist/dev/a.yaml",
        spoiled("metadata: {name: b}\nspec: {modelName: x, pdSpec: null, worker: null}"),
    )
    found = json.loads(dpd("check", "dist", "--previous", "HEAD", "--format", "json").out)["findings"]
    (removed,) = [each for each in found if each["id"] == "DPD957"]
    assert removed["file"] == "HEAD:dist/dev/a.yaml"


def test_an_invalid_earlier_document_is_a_note(repository: Path) -> None:
    put(repository, "environments/dev.yaml", FAULTY)
    git(repository, "commit", "-q", "-am", "broken")
    put(repository, "environments/dev.yaml", environment())
    outcome = dpd("check", "environments", "--previous", "HEAD", "--format", "json")
    (note,) = [e for e in json.loads(outcome.out)["findings"] if e["file"] == "HEAD:environments/dev.yaml"]
    assert (note["id"], note["severity"], outcome.status) == ("DPD003", "info", 0)


def test_standard_input_has_a_path_in_a_revision_or_none(repository: Path) -> None:
    text = dump_yaml(spoiled(MORE)).encode()
    outcome = dpd("check", "-", "--previous", "HEAD~1:dist/dev/a.yaml", "--format", "json", stdin=text)
    assert ids(outcome) == ["DPD952", "DPD959"]
    assert "no history" in refused("-", "--previous", "HEAD~1")


def refused(*arguments: str) -> str:
    outcome = dpd("check", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1 and "--previous" in outcome.err
    return outcome.err


def test_what_cannot_be_had_exits_2(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no such revision" in refused("dist", "--previous", "nothing")
    assert "no such revision" in refused("dist", "--previous", "HEAD~99")
    assert "holds no 'gone.yaml'" in refused("dist", "--previous", "HEAD:gone.yaml")
    assert "neither 'HEAD' nor this folder" in refused("build", "--previous", "HEAD")
    put(repository, "old.yaml", "a: [1\n")
    assert "not valid YAML" in refused("dist", "--previous", "old.yaml")
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "loose", "a.yaml", manifest())
    assert "no git repository" in refused(str(tmp_path / "loose"), "--previous", "HEAD")
    monkeypatch.setenv("PATH", "")
    assert "git, which might know it, is not installed" in refused("dist", "--previous", "HEAD")


def test_what_is_new_altogether_changes_nothing(repository: Path) -> None:
    put(repository, "build/a.yaml", manifest())
    assert check("build", "--previous", "HEAD") == []


@pytest.mark.parametrize("text", ["network: [\n", FAULTY])
def test_a_document_that_cannot_be_used_removes_nothing(repository: Path, text: str) -> None:
    put(repository, "environments/dev.yaml", text)
    outcome = dpd("check", "environments", "--previous", "HEAD", "--format", "json")
    report = json.loads(outcome.out)
    assert "DPD957" not in {each["id"] for each in report["findings"]}
    (note,) = [each for each in report["findings"] if each["message"].startswith("whether llama-70b goes")]
    assert (note["id"], note["fix"]) == ("DPD003", "correct its errors first")
    assert report["summary"]["impact"] == "not known of environments/dev.yaml, which cannot be used"


def test_a_name_that_looks_like_an_option_is_a_revision(repository: Path) -> None:
    assert "no such revision" in refused("dist", "--previous=--output=x")
    assert not (repository / "x").exists()
