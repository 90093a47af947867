"""Every runbook is filled for every example, with names that exist and commands that mean one thing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.cli.main import dpd
from hyperpod_dpd.config import environment_files, load_environment
from hyperpod_dpd.runbooks import UnknownRunbook, available, render
from hyperpod_dpd.runbooks.fields import long_sentences
from tests.support.documents import ENVIRONMENTS

ROOT = Path(__file__).resolve().parents[3]
BLUEPRINTS = {path.stem: resolve(load_environment(path)) for path in environment_files(ENVIRONMENTS)}
OURS = ("walkthrough", "rollout", "upgrade-operator", "install-operator", "install-dependencies", "colocate")


def test_the_runbooks_of_the_contract_are_there() -> None:
    assert set(OURS) <= set(available())


@pytest.mark.parametrize("environment", BLUEPRINTS)
@pytest.mark.parametrize("name", OURS)
def test_nothing_is_left_open(name: str, environment: str) -> None:
    text = render(name, BLUEPRINTS[environment])
    assert "@{" not in text and not re.search(r"^@(for|if|end)", text, re.MULTILINE)
    assert not re.search(r"grep[^|\n]*\|\s*head -1", text)


def test_walkthrough_names_this_environments_objects() -> None:
    text = render("walkthrough", BLUEPRINTS["prod"])
    assert (
        "http://llama-70b-inference-routing-service.hyperpod-inference-system.svc.cluster.local:443" in text
    )
    assert "hyperpod-inference-controller-manager hyperpod-inference-operator-controller-manager" in text
    assert "deployment/llama-70b-inference-router" in text
    assert '"/opt/ml/model"' in text
    assert "inference.sagemaker.aws.amazon.com/dpd-role=prefill" in text
    assert "disaggregate=True" in text and "threshold=4096" in text
    assert "invoke-endpoint --region us-west-2 --endpoint-name llama-70b" in text


def test_walkthrough_python_compiles_and_its_long_prompt_is_long() -> None:
    text = render("walkthrough", BLUEPRINTS["dev"])
    programs = re.findall(r"<<'PYTHON'\n(.*?)^PYTHON$", text, re.M | re.S)
    assert len(programs) == 2
    for program in programs:
        compile(program, "walkthrough", "exec")
    sentence = re.search(r'SENTENCE = "(.*?)"', programs[0])
    assert sentence and len(sentence[1]) * 600 // 4 == 6750 > 4096


def test_one_endpoint_alone() -> None:
    with pytest.raises(KeyError):
        render("rollout", BLUEPRINTS["dev"], endpoint="other")
    assert "llama-70b" in render("rollout", BLUEPRINTS["dev"], endpoint="llama-70b")


def test_unknown_name_lists_the_others() -> None:
    with pytest.raises(UnknownRunbook, match="walkthrough"):
        render("walk", BLUEPRINTS["dev"])


def test_verb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPD_ENVIRONMENTS", str(ENVIRONMENTS))
    run = CliRunner().invoke
    done = run(dpd, ["runbook", "rollout", "dev", "--format", "json"])
    assert done.exit_code == 0
    assert json.loads(done.output)["environment"] == "dev"
    assert "walkthrough" in run(dpd, ["runbook"]).output
    for arguments in (
        ["rollout"],
        ["rollout", "nope"],
        ["nope", "dev"],
        ["rollout", "dev", "--endpoint", "x"],
    ):
        done = run(dpd, ["runbook", *arguments])
        assert done.exit_code == 2, arguments
        assert "Traceback" not in done.output


@pytest.mark.parametrize("threshold", [0, 4096, 6751, 12_000])
@pytest.mark.parametrize("longest", [None, 2048, 16_384])
def test_long_prompt_passes_the_threshold_and_fits_where_it_can(threshold: int, longest: int | None) -> None:
    sentences = long_sentences(threshold, longest)
    assert sentences * 45 // 4 > threshold
    enough = threshold * 4 / 45
    assert sentences <= 600 or sentences <= enough * 1.1 + 1
    if longest is not None and enough * 10 < longest * 0.8:
        assert sentences * 10 < longest


def test_logs_are_asked_of_every_pod() -> None:
    for name in OURS:
        for line in render(name, BLUEPRINTS["prod"]).splitlines():
            assert " logs deployment/" not in line or " --all-pods=true " in line, line


def test_images_are_pulled_first_only_where_an_app_does_it(tmp_path: Path) -> None:
    path = tmp_path / "dev.yaml"
    path.write_text((ENVIRONMENTS / "dev.yaml").read_text() + "platform: {pre_pull: false}\n")
    text = render("rollout", resolve(load_environment(path)))
    assert "dist/dev/images" not in text and "platform.pre_pull" in text
    assert "dist/dev/images" in render("rollout", BLUEPRINTS["dev"])
