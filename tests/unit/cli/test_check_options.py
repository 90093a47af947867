"""`dpd check` with facts from outside: the model's config, and the cluster's own resource definition."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.document import dump_yaml
from tests.support.command import dpd
from tests.support.crd import crd_of_release_3_2
from tests.support.documents import manifest, spoiled
from tests.unit.cli.test_kv import LLAMA_70B

NAMELESS = """
spec: {modelName: unknown-thing, modelSourceConfig: {modelLocation: somewhere}}
metadata: {annotations: null}
"""


def write(folder: Path, value: Any, name: str = "iec.yaml") -> str:
    file = folder / name
    file.write_text(dump_yaml(value), encoding="utf-8")
    return str(file)


def findings(*arguments: str) -> dict[str, dict[str, Any]]:
    outcome = dpd("check", *arguments, "--format", "json")
    assert outcome.status in (0, 1), outcome.err
    return {each["id"]: each for each in json.loads(outcome.out)["findings"]}


class TestModelConfig:
    """--model-config before the annotation before a match by name."""

    def config(self, folder: Path, **changes: Any) -> str:
        file = folder / "config.json"
        file.write_text(json.dumps({**LLAMA_70B, **changes}), encoding="utf-8")
        return str(file)

    def test_it_lets_the_model_rules_run_on_a_lone_manifest(self, tmp_path: Path) -> None:
        small = "\nspec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: '536870912'}]}}"
        file = write(tmp_path, spoiled(small, name="dev") | {"metadata": {"name": "a", "namespace": "b"}})
        nameless = write(tmp_path, _nameless(small), "nameless.yaml")
        assert "DPD402" in findings(file)
        assert "DPD402" not in findings(nameless)
        assert "DPD402" in findings(nameless, "--model-config", self.config(tmp_path))

    def test_it_wins_over_annotation_and_name(self, tmp_path: Path) -> None:
        # A thirty-second of the layers: the page shrinks and the same buffer suffices.
        file = write(
            tmp_path,
            spoiled("spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: '536870912'}]}}"),
        )
        assert "DPD402" in findings(file)
        assert "DPD402" not in findings(file, "--model-config", self.config(tmp_path, num_hidden_layers=2))

    def test_the_annotation_wins_over_the_name(self, tmp_path: Path) -> None:
        size = "spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: '536870912'}]}}"
        annotated = size + "\nmetadata: {annotations: {dpd.check/model: llama-3.1-8b-instruct}}"
        assert "DPD402" in findings(write(tmp_path, spoiled(size)))
        assert "DPD402" not in findings(write(tmp_path, spoiled(annotated)))

    @pytest.mark.parametrize(
        ("config", "says"), [(None, "no such file"), ({"model_type": "llama"}, "config.json")]
    )
    def test_what_cannot_be_used_exits_2(self, tmp_path: Path, config: Any, says: str) -> None:
        file = tmp_path / "config.json"
        if config is not None:
            file.write_text(json.dumps(config), encoding="utf-8")
        outcome = dpd("check", write(tmp_path, manifest()), "--model-config", str(file))
        assert (outcome.status, outcome.out) == (2, "")
        assert "--model-config" in outcome.err and says in outcome.err


def _nameless(fragment: str) -> dict[str, Any]:
    import yaml

    from tests.support.merging import merged

    return merged(spoiled(NAMELESS), yaml.safe_load(fragment))


@pytest.fixture(scope="module")
def crd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that a user saved from the cluster."""
    file = tmp_path_factory.mktemp("crd") / "crd.yaml"
    file.write_text(dump_yaml(crd_of_release_3_2()), encoding="utf-8")
    return file


class TestCrd:
    """The definition decides: what it lacks is refused, and where it differs from ours is told."""

    def test_a_field_of_a_later_release_is_refused_by_this_definition(
        self, crd: Path, tmp_path: Path
    ) -> None:
        newer = write(tmp_path, spoiled("spec: {loadBalancer: {idleTimeoutSeconds: 600}}"))
        assert "DPD141" not in findings(newer)
        found = findings(newer, "--crd", str(crd))["DPD141"]
        assert (found["severity"], found["path"]) == ("error", "spec.loadBalancer.idleTimeoutSeconds")

    def test_what_other_rules_say_already_is_not_said_twice(self, crd: Path, tmp_path: Path) -> None:
        found = findings(write(tmp_path, spoiled("spec: {nonsense: 1}")), "--crd", str(crd))
        assert "DPD102" in found and "DPD141" not in found

    def test_a_sound_manifest_and_an_environment_pass(self, crd: Path, tmp_path: Path) -> None:
        assert "DPD141" not in findings(write(tmp_path, manifest()), "--crd", str(crd))

    def test_an_environment_is_judged_by_it_too(self, crd: Path, tmp_path: Path) -> None:
        value = spoiled(
            "endpoints: {llama-70b: {load_balancer: {idle_timeout_seconds: 600}}}", of="environment"
        )
        found = findings(write(tmp_path, value, "dev.yaml"), "--crd", str(crd))["DPD141"]
        assert found["path"] == "endpoints.llama-70b.load_balancer.idle_timeout_seconds"

    def test_drift_is_told_once_with_its_place(self, crd: Path, tmp_path: Path) -> None:
        file = write(tmp_path, manifest())
        outcome = dpd("check", file, "--crd", str(crd), "--format", "json")
        drift = [each for each in json.loads(outcome.out)["findings"] if each["id"] == "DPD142"]
        assert all(each["file"] == str(crd) for each in drift)
        paths = {each["path"] for each in drift}
        assert "spec.loadBalancer.idleTimeoutSeconds" in paths
        assert outcome.status == 0
        less = dpd("check", file, "--crd", str(crd), "--operator", "3.2", "--format", "json")
        assert "spec.loadBalancer.idleTimeoutSeconds" not in {
            each["path"] for each in json.loads(less.out)["findings"] if each["id"] == "DPD142"
        }

    def test_a_limit_that_differs_is_a_warning_at_its_line(self, crd: Path, tmp_path: Path) -> None:
        text = crd.read_text(encoding="utf-8")
        changed = re.sub(r"( *)- prefixaware\n", r"\g<0>\1- weighted\n", text, count=1)
        assert changed != text
        other = tmp_path / "crd.yaml"
        other.write_text(changed, encoding="utf-8")
        outcome = dpd("check", write(tmp_path, manifest()), "--crd", str(other), "--format", "json")
        (found,) = [
            each
            for each in json.loads(outcome.out)["findings"]
            if each["id"] == "DPD142" and each["severity"] == "warning"
        ]
        assert found["path"] == "spec.intelligentRoutingSpec.routingStrategy"
        assert "routingStrategy" in changed.splitlines()[found["line"] - 1]

    def test_another_file_is_refused(self, crd: Path, tmp_path: Path) -> None:
        for other in (write(tmp_path, manifest(), "other.yaml"), str(tmp_path / "missing.yaml")):
            outcome = dpd("check", write(tmp_path, manifest()), "--crd", other)
            assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
            assert "--crd" in outcome.err
