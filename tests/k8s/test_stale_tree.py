"""A tree that its document no longer leads to is told by `dpd check`, once for each environment."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.blueprint.source import version
from k8s.command import main
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS

RULES = {"DPD020", "DPD021"}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two documents and the trees that they lead to."""
    home = tmp_path_factory.mktemp("fresh")
    shutil.copytree(ENVIRONMENTS, home / "environments")
    for file in (home / "environments").glob("*.yaml"):
        if file.stem not in ("dev", "staging"):
            file.unlink()
    folders = ["--environments", str(home / "environments"), "--out", str(home / "dist")]
    assert main(folders) == 0
    return home


@pytest.fixture
def home(fresh: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(fresh, tmp_path / "home"))


def found(home: Path, *paths: str) -> list[dict[str, Any]]:
    outcome = dpd("check", *(str(home / path) for path in paths), "--format", "json")
    findings = json.loads(outcome.out)["findings"]
    return [
        each
        for each in findings
        if each["id"] in RULES or "whether the tree is up to date" in each["message"]
    ]


def test_a_fresh_tree_is_no_finding(home: Path) -> None:
    assert found(home, "environments", "dist") == []


def test_a_changed_document_is_one_error_of_its_environment_and_fails(home: Path) -> None:
    document = yaml.safe_load((home / "environments/dev.yaml").read_text(encoding="utf-8"))
    document["tags"] = {"team": "search"}
    (home / "environments/dev.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
    [stale] = found(home, "environments", "dist")
    assert (stale["id"], stale["severity"], stale["line"]) == ("DPD020", "error", 2)
    assert "environments/dev.yaml" in stale["message"] and "/dist/dev/" in stale["file"]
    assert dpd("check", str(home / "environments"), str(home / "dist")).status == 1


def test_comments_and_the_order_of_keys_do_not_count(home: Path) -> None:
    file = home / "environments/dev.yaml"
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    file.write_text(
        "# another comment\n" + yaml.safe_dump(dict(reversed(document.items())), sort_keys=False), "utf-8"
    )
    assert found(home, "environments", "dist") == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("outputs/dev.yaml", "grafana_url: https://g-0123456789.grafana-workspace.us-west-2.amazonaws.com"),
        ("locks/dev.json", json.dumps({"images": {"a/b:c": {"digest": "sha256:" + "0" * 64}}})),
    ],
)
def test_outputs_and_locks_count(home: Path, file: str, text: str) -> None:
    place = home / "environments" / file
    place.parent.mkdir(exist_ok=True)
    place.write_text(text, encoding="utf-8")
    assert [each["id"] for each in found(home, "environments", "dist")] == ["DPD020"]


def test_a_tree_that_was_rendered_by_halves_names_its_share(home: Path) -> None:
    file = home / "dist/dev/platform/kustomization.yaml"
    text = re.sub(r"sha256:\w+", "sha256:" + "1" * 64, file.read_text(encoding="utf-8"))
    file.write_text(text, encoding="utf-8")
    [stale] = found(home, "environments", "dist")
    assert "(1 of " in stale["message"]


@pytest.mark.parametrize("line", [f"version {version()}9", "nothing"])
def test_another_version_is_a_warning(home: Path, line: str) -> None:
    for file in (home / "dist/dev").glob("*/kustomization.yaml"):
        first, second, rest = file.read_text(encoding="utf-8").split("\n", 2)
        second = second.replace(f"version {version()}", line) if "version" in line else "# by hand"
        file.write_text("\n".join((first, second, rest)), encoding="utf-8")
    [other] = found(home, "environments", "dist")
    assert (other["id"], other["severity"]) == ("DPD021", "warning")


def test_a_tree_without_its_document_is_not_checked(home: Path) -> None:
    notes = found(home, "environments/dev.yaml", "dist")
    assert [(each["id"], each["severity"]) for each in notes] == [("DPD003", "info")]
    assert "environments/staging.yaml" in notes[0]["message"]
