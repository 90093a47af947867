"""The end of `make synth`: a fault of the pair fails it, a clean run is short and says what comes next."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.documents import ENVIRONMENTS, ROOT, manifest, spoiled
from tests.support.pairs import sound_template, write_pair


def summary(folder: Path, endpoint: Any, *options: str) -> subprocess.CompletedProcess[str]:
    """What the summary says of one environment's two outputs."""
    assembly, dist = write_pair(folder, sound_template(), endpoint)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "tools/synth_summary.py", "--assembly", assembly, "--dist", dist, *options]
    return subprocess.run(
        [*command, str(ENVIRONMENTS / "dev.yaml")],
        cwd=ROOT,
        env={**os.environ, "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("fragment", "rule"),
    [
        ("spec: {modelSourceConfig: {s3Storage: {bucketName: elsewhere}}}", "DPD1007"),
        ("spec: {instanceType: ml.p5en.48xlarge}", "DPD1002"),
    ],
)
def test_a_fault_of_the_pair_fails_the_synthesis_with_its_place_and_fix(
    tmp_path: Path, fragment: str, rule: str
) -> None:
    done = summary(tmp_path, spoiled(fragment))
    assert done.returncode == 1
    assert f"error {rule}" in done.stdout and "0.yaml:" in done.stdout and "fix: " in done.stdout
    assert "Next:" not in done.stdout


def test_a_clean_pair_ends_with_the_next_step(tmp_path: Path) -> None:
    done = summary(tmp_path, manifest())
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 10
    assert any("dev" in line and "1 app" in line and "2 objects" in line for line in lines)
    assert "npx cdk deploy 'dev/*'" in done.stdout


def test_explain_lists_every_app(tmp_path: Path) -> None:
    assert "dev/endpoint-a" in summary(tmp_path, manifest(), "--explain").stdout
