"""Manifests of shapes found in public: what `dpd check` says of each, all faults at once, and no false alarm.

Expectations name the collected condition (tests/rules/source_ids.yaml), so that they hold whatever the rule's id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from hyperpod_dpd.cli.check import command
from tests.support import found
from tools import conditions


@dataclass(frozen=True)
class Expected:
    """One finding: a rule that judges the condition, at a path with this fragment, with these words somewhere."""

    condition: str
    path: str
    severity: str = "error"
    words: str = ""


def error(condition: str, path: str, words: str = "") -> Expected:
    return Expected(condition, path, "error", words)


def warning(condition: str, path: str, words: str = "") -> Expected:
    return Expected(condition, path, "warning", words)


TLS = "spec.tlsConfig.tlsCertificateOutputS3Uri"
BUCKET = "spec.modelSourceConfig.s3Storage.bucketName"
REGION = "spec.modelSourceConfig.s3Storage.region"
PREFILL, DECODE = "spec.pdSpec.prefillSpec", "spec.pdSpec.decodingSpec"

REFUSED: dict[str, tuple[Expected, ...]] = {
    "model-hub-model": (error("E-79", "apiVersion", "JumpStartModel"),),
    "complete-pair": (error("E-77", BUCKET, "<YOUR_BUCKET>"), error("E-77", REGION, "<YOUR_REGION>")),
    "placeholders-routing": (error("E-77", BUCKET, "PLACEHOLDER"), error("E-77", TLS, "PLACEHOLDER")),
    "placeholders-second-cache": (
        error("E-77", BUCKET, "PLACEHOLDER"),
        error("E-77", TLS, "PLACEHOLDER"),
        warning("E-77", "spec.kvCacheSpec.l2CacheSpec.l2CacheLocalUrl", "PLACEHOLDER"),
    ),
    "model-deployment": (error("E-79", "apiVersion", "ModelDeployment"),),
    "shell-variables-old-version": (
        error("R01", "apiVersion", "v1alpha1"),
        error("E-77", "spec.endpointName", "$SAGEMAKER_ENDPOINT_NAME"),
        error("E-77", "spec.instanceType", "$ACCEL_INSTANCE_TYPE"),
        error("E-77", BUCKET, "$S3_BUCKET_NAME"),
    ),
    "file-system-variable": (
        error("E-82", "spec.modelSourceConfig.fsxStorage.fileSystemId", "$FSX_FILE_SYSTEM_ID"),
        warning("E-82", "spec.model", "deepseek"),
    ),
    "old-version-with-seed": (
        error("R01", "apiVersion", "v1alpha1"),
        error("E-77", "spec.endpointName", "$SAGEMAKER"),
    ),
    "partitioned-gpu": (
        error("E-86", "spec.worker", "image"),
        error("E-86", "spec.worker", "modelInvocationPort"),
        error("E-86", "spec.worker", "modelVolumeMount"),
    ),
    "replica-names": (
        error("E-88", "spec.autoScalingSpec.minReplicas", "minReplicaCount"),
        error("E-88", "spec.autoScalingSpec.maxReplicas", "maxReplicaCount"),
    ),
    "no-port-no-mount": (
        error("E-89", "spec.worker", "modelInvocationPort"),
        error("E-89", "spec.worker", "modelVolumeMount"),
    ),
    "envsubst": (
        error("E-90", "metadata.name", "${ENDPOINT_NAME}"),
        error("E-90", "spec.replicas", "${REPLICAS}"),
        error("E-90", "spec.instanceType", "${INSTANCE_TYPE}"),
        error("E-90", "spec.intelligentRoutingSpec.routingStrategy", "${ROUTING_STRATEGY}"),
        error("E-90", TLS, "${CERT_S3_URI}"),
        error("E-90", "spec.worker.args", "${TENSOR_PARALLEL_SIZE}"),
    ),
    "invented-group": (error("E-91", "apiVersion", "inference.sagemaker.aws.amazon.com/v1"),),
    "certificate-too-deep": (
        error("E-93", "spec.tlsConfig.customCertificateConfig.tlsCertificateOutputS3Uri", "spec.tlsConfig"),
    ),
    "mixed-advice": (
        error("R04", "spec.worker.environmentVariables[0].value", "8589934592"),
        error("R04", "spec.worker.environmentVariables[1].value", '"0"'),
        error("R120", "spec.invocationEndpoint", "v1/chat/completions"),
        error("R149", f"{DECODE}.replicas"),
        error("R131", "spec", "/health"),
        warning("R141", PREFILL),
        warning("R141", DECODE),
        warning("R69", "spec.worker.environmentVariables"),
        warning("R121", "spec", "0.19"),
        warning("R98", "spec", "--gpu-memory-utilization"),
        warning("R99", "spec", "--max-model-len"),
        warning("R181", "spec.metrics", "not confirmed"),
    ),
}
ACCEPTED: dict[str, tuple[Expected, ...]] = {
    "djl-one-gpu": (),
    "tgi-eight-gpus": (),
    "colocated-routing-latest": (warning("E-84", "spec.worker.image", "latest"),),
    "hugging-face-source": (),
    "neuron": (),
}
UNREADABLE = ("missing-space",)
PD = {
    key: {
        "replicas": 1,
        "resources": {"limits": {"nvidia.com/gpu": "8"}, "requests": {"nvidia.com/gpu": "8"}},
    }
    for key in ("prefillSpec", "decodingSpec")
}


def run(path: Path) -> tuple[int, list[dict[str, Any]]]:
    """Exit status and findings of `dpd check`."""
    result = CliRunner().invoke(command, [str(path), "--format", "json"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    findings: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    assert [f for f in findings if f["id"] == "DPD001"] == []
    return result.exit_code, findings


def look_for(expected: Iterable[Expected], findings: list[dict[str, Any]]) -> None:
    """Fails with everything that is missing."""
    absent = []
    for one in expected:
        rules = conditions.rules_for(one.condition)
        if not any(_is(one, rules, finding) for finding in findings):
            absent.append(one)
    if absent:
        said = "\n".join(f"{f['id']} {f['severity']} {f['path']}: {f['message']}" for f in findings)
        pytest.fail("\n".join([*map(str, absent), "said:", said]), pytrace=False)


def _is(one: Expected, rules: tuple[str, ...], finding: dict[str, Any]) -> bool:
    return (
        finding["id"] in rules
        and finding["severity"] == one.severity
        and finding["path"].startswith(one.path)
        and one.words in finding["message"] + finding["fix"]
    )


def spoiled_copy(case: str, folder: Path, change: Any) -> Path:
    value = found.manifest_of(case)
    change(value["spec"])
    path = folder / f"{case}.yaml"
    path.write_text(yaml.safe_dump(value), encoding="utf-8")
    return path


def test_every_manifest_has_its_expectation() -> None:
    assert set(found.names()) == {*REFUSED, *ACCEPTED, *UNREADABLE}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_refused(case: str) -> None:
    status, findings = run(found.file_of(case))
    assert status == 1
    look_for(REFUSED[case], findings)


@pytest.mark.parametrize("case", sorted(ACCEPTED))
def test_accepted(case: str) -> None:
    status, findings = run(found.file_of(case))
    assert [f for f in findings if f["severity"] == "error"] == []
    assert status == 0
    look_for(ACCEPTED[case], findings)


@pytest.mark.parametrize("case", UNREADABLE)
def test_neither_environment_nor_object(case: str) -> None:
    result = CliRunner().invoke(command, [str(found.file_of(case))])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert f"{case}.yaml" in result.stderr


def test_findings_stand_at_lines_of_the_file() -> None:
    text = found.text_of("mixed-advice").splitlines()
    _, findings = run(found.file_of("mixed-advice"))
    for word, path in (("PD_BUFFER_SIZE", "[0].value"), ("PYTHONHASHSEED", "[1].value")):
        lines = {f["line"] for f in findings if f["path"] == f"spec.worker.environmentVariables{path}"}
        assert {word in text[line - 1] for line in lines} == {True}


def test_the_complete_example_passes_with_warnings(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(found.complete_pair(), encoding="utf-8")
    status, findings = run(path)
    assert [f for f in findings if f["severity"] == "error"] == []
    assert status == 0
    look_for(
        [warning("R141", PREFILL), warning("R141", DECODE), warning("R181", "spec.metrics", "not confirmed")],
        findings,
    )


def test_a_fragment_with_a_missing_space_inside_an_endpoint(tmp_path: Path) -> None:
    fragment = found.manifest_of("missing-space")["resources"]
    value = yaml.safe_load(found.complete_pair())
    value["spec"]["pdSpec"]["decodingSpec"]["resources"] = fragment
    path = tmp_path / "example.yaml"
    path.write_text(yaml.safe_dump(value), encoding="utf-8")
    status, findings = run(path)
    assert status == 1
    look_for([error("C-07", f"{DECODE}.resources.limits", "space")], findings)


def test_a_strategy_with_a_hyphen_is_understood(tmp_path: Path) -> None:
    def change(spec: dict[str, Any]) -> None:
        spec["intelligentRoutingSpec"]["routingStrategy"] = "prefix-aware"

    status, findings = run(spoiled_copy("no-port-no-mount", tmp_path, change))
    assert status == 1
    look_for([error("E-89", "spec.intelligentRoutingSpec.routingStrategy", "prefixaware")], findings)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("hugging-face-source", error("R51", "spec.worker.image", "LMCache")),
        ("neuron", error("R24", "spec.instanceType", "Neuron")),
        ("partitioned-gpu", error("R140", "spec.pdSpec")),
    ],
)
def test_what_is_accepted_colocated_may_be_refused_disaggregated(
    case: str, expected: Expected, tmp_path: Path
) -> None:
    pd = json.loads(json.dumps(PD))
    if case == "partitioned-gpu":
        for role in pd.values():
            role["resources"] = {k: {"nvidia.com/mig-3g.20gb": 1} for k in ("limits", "requests")}
    status, findings = run(spoiled_copy(case, tmp_path, lambda spec: spec.update(pdSpec=pd)))
    assert status == 1
    look_for([expected], findings)
