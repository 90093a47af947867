"""Run Prometheus's own tools, or skip with a reason where they are not installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def tool(name: str) -> str:
    """Path of a Debian tool; the test is skipped where it is missing."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (Debian packages prometheus and prometheus-alertmanager)")
    return found


def run(name: str, *arguments: str | Path, cwd: Path | None = None) -> str:
    """Output of the tool; a status other than 0 fails the test with what it said."""
    done = subprocess.run(
        [tool(name), *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{name}: {done.stdout[-6000:]}{done.stderr[-2000:]}"
    return done.stdout
