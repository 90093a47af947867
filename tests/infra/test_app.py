"""The entry point: one environment or all, and faults in words instead of a traceback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.documents import ENVIRONMENTS

ROOT = Path(__file__).resolve().parents[2]


def run(
    folder: Path, environment: str | None = None, *, validate: bool = False, **more: str
) -> subprocess.CompletedProcess[str]:
    context: dict[str, str] = {**more} if environment is None else {"environment": environment, **more}
    if validate:
        context |= json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    variables = {
        **os.environ,
        "CDK_OUTDIR": str(folder / "cdk.out"),
        "CDK_VALIDATION": str(validate).lower(),
        "CDK_CONTEXT_JSON": json.dumps(context),
    }
    for name in ("JSII_NODE", "PYTEST_VERSION", "PYTEST_CURRENT_TEST"):  # CDK prints no findings below pytest
        variables.pop(name, None)
    command = [sys.executable, str(ROOT / "app.py")]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(ENVIRONMENTS, tmp_path / "environments")
    return tmp_path


def test_every_environment_by_default(project: Path) -> None:
    result = run(project)
    assert result.returncode == 0, result.stderr
    wanted = {f"assembly-{p.stem}" for p in (project / "environments").glob("*.yaml")}
    assert {p.name for p in (project / "cdk.out").glob("assembly-*")} == wanted
    assert "end-of-life" not in result.stderr


def test_one_environment_despite_a_broken_neighbour(project: Path) -> None:
    (project / "environments" / "dev.yaml").write_text("- not an environment\n")
    result = run(project, "prod")
    assert result.returncode == 0, result.stderr
    assert [p.name for p in (project / "cdk.out").glob("assembly-*")] == ["assembly-prod"]


def test_the_folder_of_documents_is_chosen_by_context(project: Path) -> None:
    (project / "environments").rename(project / "ours")
    result = run(project, "dev", environments="ours")
    assert result.returncode == 0, result.stderr
    assert [p.name for p in (project / "cdk.out").glob("assembly-*")] == ["assembly-dev"]
    result = run(project, environments="theirs")
    assert result.returncode == 1
    assert "theirs/ holds no *.yaml" in result.stderr


def test_all_faults_of_all_documents_and_no_traceback(project: Path) -> None:
    (project / "environments" / "dev.yaml").write_text("- not an environment\n")
    (project / "environments" / "staging.yaml").write_text("account: 1\nnonsense: true\n")
    result = run(project)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    for part in ("environments/dev.yaml", "environments/staging.yaml", "nonsense", "account"):
        assert part in result.stderr
    assert not (project / "cdk.out" / "manifest.json").exists()


def test_a_fault_that_shows_only_in_the_blueprint_is_said_too(project: Path) -> None:
    dev = project / "environments" / "dev.yaml"
    text = dev.read_text().replace(
        "catalogue: llama-3.3-70b-instruct", "name: odd\n      config: empty.json", 1
    )
    dev.write_text(text)
    (dev.parent / "empty.json").write_text("")
    result = run(project, "dev")
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "endpoints.llama-70b.model.config: empty.json:1:1: is not JSON" in result.stderr


@pytest.mark.parametrize("environment", ["nowhere", "../prod", None])
def test_what_is_not_there_is_said(tmp_path: Path, environment: str | None) -> None:
    (tmp_path / "environments").mkdir()
    result = run(tmp_path, environment)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert (environment or "dpd init") in result.stderr


def test_a_locked_logical_id_that_is_gone_fails_the_synthesis(project: Path) -> None:
    lock = project / "environments" / "locks" / "dev.json"
    lock.parent.mkdir(exist_ok=True)
    kept = {"dpd-dev-storage AWS::S3::Bucket": ["ModelsC55D3500", "Tls841AEEF3"]}
    lock.write_text(json.dumps({"immutable": {"logical_ids": kept}}), encoding="utf-8")
    assert run(project, "dev").returncode == 0
    kept["dpd-dev-storage AWS::S3::Bucket"].append("ModelsOfOldDAYS0001")
    lock.write_text(json.dumps({"immutable": {"logical_ids": kept}}), encoding="utf-8")
    result = run(project, "dev")
    assert result.returncode == 1
    assert "ModelsOfOldDAYS0001" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_locked_fact_that_changes_fails_the_synthesis(project: Path) -> None:
    lock = project / "environments" / "locks" / "dev.json"
    lock.parent.mkdir(exist_ok=True)
    facts = {"hyperpod-cluster subnet": "accelerator-usw2-az1"}
    lock.write_text(json.dumps({"immutable": {"facts": facts}}), encoding="utf-8")
    result = run(project, "dev")
    assert result.returncode == 1
    assert "'hyperpod-cluster subnet' is deployed as 'accelerator-usw2-az1'" in result.stderr
    assert not (project / "cdk.out" / "manifest.json").exists()


def test_what_validation_finds_is_said_without_a_traceback(project: Path) -> None:
    dev = project / "environments" / "dev.yaml"
    dev.write_text(dev.read_text().replace("ml.m5.4xlarge", "ml.m6i.4xlarge", 1))
    result = run(project, "dev", validate=True)
    assert result.returncode == 1
    assert "'ml.m6i.4xlarge' is not valid for region 'us-west-2'" in result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    assert "jsii" not in result.stderr
