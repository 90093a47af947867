"""An empty folder, the wheel, and nothing of this checkout: a company's own repository renders its own documents."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.support.documents import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel, a virtual environment that holds it, and a repository that `dpd new` wrote."""
    folder = tmp_path_factory.mktemp("company")
    run(folder, sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=ROOT)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    uv = shutil.which("uv", path=Path(sys.executable).parent)
    assert uv is not None
    run(folder, uv, "pip", "install", "-q", str(wheel))
    run(folder, "dpd", "new", "serving", "--environment", "mine", "--source", wheel.as_uri())
    run(folder, uv, "pip", "install", "-q", "-r", "serving/requirements.txt")
    run(folder / "serving", "npm", "ci", "--silent", "--ignore-scripts")
    return folder


def run(place: Path, *command: str, cwd: Path | None = None) -> str:
    """What it printed, in an environment where nothing leads to the checkout."""
    company = place if (place / "venv").is_dir() else place.parent
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JSII", "DPD"))
    }
    path = os.pathsep.join([str(company / "venv" / "bin"), "/usr/bin", "/bin"])
    done = subprocess.run(
        command,
        cwd=cwd or place,
        env={**kept, "PATH": path, "VIRTUAL_ENV": str(company / "venv")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout + done.stderr


def test_the_wheel_alone_makes_checks_and_renders_a_repository(place: Path) -> None:
    own = place / "serving"
    run(own, "npx", "cdk", "synth", "-q", "--no-notices", "**")
    run(own, "npx", "cdk8s", "synth", "--check-upgrade=false")
    assert [path.name for path in (own / "dist").iterdir()] == ["mine"]
    assert [path.name for path in (own / "cdk.out").glob("assembly-*")] == ["assembly-mine"]
    assert "0 errors" in run(own, "dpd", "check", "environments", "cdk.out", "dist")


def test_manifests_go_to_another_repository(place: Path) -> None:
    own = place / "serving"
    run(own, "python", "-m", "hyperpod_dpd.synthesis", "cdk8s", "--out", "../gitops/clusters")
    assert (place / "gitops/clusters/mine/platform/kustomization.yaml").is_file()


def test_nothing_is_written_where_the_package_is_installed(place: Path) -> None:
    (package,) = (place / "venv").glob("lib/*/site-packages/hyperpod_dpd")
    assert not [
        path for name in ("dist", ".build", "cdk.out") for path in package.parent.rglob(f"{name}/mine")
    ]


def test_runbooks_and_facts_come_with_the_package(place: Path) -> None:
    own = place / "serving"
    assert "mine" in run(own, "dpd", "runbook", "walkthrough", "mine")
    assert "DPD401" in run(own, "dpd", "rules", "DPD401")
