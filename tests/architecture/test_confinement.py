"""A test that reads beside the checkout fails, and one that is skipped without need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import confinement
from tests.support.confinement import Confinement

ROOT = Path(confinement.ROOT)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a folder beside it."""
    for folder in ("checkout", "checkout-2", "beside"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    (tmp_path / "checkout" / "link").symlink_to(tmp_path / "beside")
    (tmp_path / "checkout" / "link.yaml").symlink_to(tmp_path / "beside" / "a.yaml")
    (tmp_path / "checkout" / "own.yaml").symlink_to("a.yaml")
    return tmp_path / "checkout"


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("", True),
        ("a.yaml", True),
        ("own.yaml", True),
        ("not-there/yet.yaml", True),
        ("../checkout/a.yaml", True),
        ("..", False),
        ("../beside", False),
        ("../beside/a.yaml", False),
        ("../checkout-2/a.yaml", False),
        ("link/a.yaml", False),
        ("link.yaml", False),
    ],
)
def test_what_lies_in_the_checkout(path: str, allowed: bool, checkout: Path, monkeypatch) -> None:
    monkeypatch.chdir(checkout)
    judge = Confinement(str(checkout))
    assert judge.allows(f"{checkout}/{path}") is allowed
    assert judge.allows(path) is allowed


@pytest.mark.parametrize(
    ("event", "arguments", "kept"),
    [
        ("open", ("../beside/a.yaml", "r", 0), True),
        ("open", (b"../beside/a.yaml", None, 0), True),
        ("open", (Path("../beside/a.yaml"), "r", 0), True),
        ("os.listdir", ("../beside",), True),
        ("os.scandir", ("../beside",), True),
        ("os.listdir", (None,), False),
        ("open", (3, "r", 0), False),
        ("os.remove", ("../beside/a.yaml", -1), False),
    ],
)
def test_what_is_heard(event: str, arguments: tuple, kept: bool, checkout: Path, monkeypatch) -> None:
    monkeypatch.chdir(checkout)
    judge = Confinement(str(checkout))
    judge.hear(event, arguments)
    assert bool(judge.left) is kept
    assert all(event in each and "test_confinement.py" in each for each in judge.left)


def test_this_very_run_hears_a_real_open_and_a_real_listing_beside_the_checkout() -> None:
    assert confinement.taken() == []
    with pytest.raises(OSError):
        (ROOT.parent / "nothing-of-this-name").read_bytes()
    os.listdir(ROOT.parent)
    next(ROOT.parent.iterdir())
    with os.scandir(ROOT.parent):
        pass
    left = confinement.taken()
    assert [each.split(" ")[0] for each in left] == ["open", "os.listdir", "os.listdir", "os.scandir"]
    (ROOT / "README.md").read_text(encoding="utf-8")
    assert confinement.taken() == []


OUTCOMES = f"""
import os
import pytest

@pytest.fixture
def beside():
    os.listdir({str(ROOT.parent)!r})

def test_a_fixture_reads_beside(beside):
    pass

def test_the_test_reads_beside():
    os.listdir({str(ROOT.parent)!r})

def test_nothing_is_read(tmp_path):
    (tmp_path / "a").write_text("")
    assert (tmp_path / "a").read_text() == ""

def test_without_need():
    pytest.skip("for no good reason")

@pytest.mark.debian
def test_without_a_debian_tool():
    pytest.skip("promtool is not installed")
"""


@pytest.mark.parametrize(
    ("options", "failed", "skipped"),
    [([], 2, 1), (["--no-skips"], 3, 0)],
)
def test_outcomes_of_a_run(options: list[str], failed: int, skipped: int, tmp_path: Path) -> None:
    (tmp_path / "test_outcomes.py").write_text(OUTCOMES, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = debian\n", encoding="utf-8")
    plugin = ["-p", "tests.conftest", "-p", "no:cacheprovider", "-ra"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, *options, "--rootdir", str(tmp_path), "test_outcomes.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'lib'}", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    counts = f"{failed} failed, 1 passed, {'1 skipped, ' if skipped else ''}1 error in"
    assert counts in run.stdout, run.stdout + run.stderr
    assert "ERROR at setup of test_a_fixture_reads_beside" in run.stdout
