"""The committed copy of the GitOps tree is what the environments render now, byte for byte."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from k8s.layout import files
from tests.support.snapshots import IN_FULL, committed_form

UPDATE = "run `make snapshots`, look at the diff, and commit it together with its cause"
LIMIT_BYTES = 200_000
"""Of all but the dashboards, which one environment keeps in full."""


def committed(folder: Path) -> dict[str, str]:
    return {
        f"{path.parent.name}/{path.name}": path.read_bytes().decode()
        for path in sorted(folder.glob("*/*"))
        if path.is_file()
    }


def difference(old: dict[str, str], new: dict[str, str], environment: str) -> str:
    """A unified diff of all files, empty when they are the same."""
    lines: list[str] = []
    for path in sorted(old.keys() | new.keys()):
        lines += difflib.unified_diff(
            old.get(path, "").splitlines(keepends=True),
            new.get(path, "").splitlines(keepends=True),
            f"tests/snapshots/{environment}/{path}" if path in old else "(none)",
            f"rendered {environment}/{path}" if path in new else "(none)",
        )
    return "".join(lines)


def test_tree_is_the_committed_one(environment, rendered, root):
    new = committed_form(environment, files(rendered[environment]))
    old = committed(root / "tests/snapshots" / environment)
    if old != new:
        pytest.fail(
            f"{UPDATE}\n{difference(old, new, environment) or 'files differ in bytes'}", pytrace=False
        )


def test_no_snapshot_without_an_environment(root, blueprints):
    assert {path.name for path in (root / "tests/snapshots").iterdir()} == set(blueprints), UPDATE


def test_boards_are_committed_in_full_once(root):
    boards = [
        p.relative_to(root / "tests/snapshots").parts[0] for p in root.glob("tests/snapshots/*/*/grafana*")
    ]
    assert set(boards) == {IN_FULL}


def test_snapshots_stay_small(root):
    sizes = {
        path: path.stat().st_size
        for path in (root / "tests/snapshots").rglob("*")
        if path.is_file() and not path.name.startswith("grafanadashboard-")
    }
    assert sizes
    assert sum(sizes.values()) < LIMIT_BYTES


def test_difference_names_the_line_and_the_file():
    text = difference(
        {"a/x.yaml": "replicas: 1\n"}, {"a/x.yaml": "replicas: 2\n", "a/y.yaml": "new\n"}, "dev"
    )
    assert "--- tests/snapshots/dev/a/x.yaml" in text
    assert "-replicas: 1\n+replicas: 2\n" in text
    assert "--- (none)\n+++ rendered dev/a/y.yaml" in text
