"""Templates beside manifests: each disagreement is its own rule, at a place of the file that has to change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.command import dpd
from tests.support.documents import manifest, spoiled
from tests.support.merging import merged
from tests.support.pairs import sound_template, write_pair


def found(paths: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    outcome = dpd("check", *paths, "--format", "json")
    findings = json.loads(outcome.out)["findings"]
    assert "DPD001" not in {each["id"] for each in findings}, findings
    return {each["id"]: each for each in findings}


def agreement(paths: tuple[str, ...]) -> set[str]:
    return {each for each in found(paths) if each.startswith("DPD10") and len(each) == 7}


def test_a_sound_pair_agrees_and_other_json_of_an_assembly_is_passed_over(tmp_path: Path) -> None:
    paths = write_pair(tmp_path, sound_template(), manifest())
    assert agreement(paths) == set()
    report = json.loads(dpd("check", paths[0], "--format", "json").out)
    assert report["summary"]["files"] == 1


OF_MANIFEST = [
    ("DPD1001", "spec: {pdSpec: {prefillSpec: {nodeSelector: {sagemaker.amazonaws.com/instance-group-name: prefil}}}}",
     "spec.pdSpec.prefillSpec.nodeSelector"),
    ("DPD1002", "spec: {instanceType: ml.p5en.48xlarge}", "spec.instanceType"),
    ("DPD1003", "spec: {pdSpec: {decodingSpec: {nodeSelector: {dpd.hyperpod/role: prefill}}}}",
     "spec.pdSpec.decodingSpec.nodeSelector"),
    ("DPD1004", "spec: {pdSpec: {decodingSpec: {resources: {limits: {vpc.amazonaws.com/efa: '33'}}}}}",
     "spec.pdSpec.decodingSpec.resources"),
    ("DPD1006", "spec: {pdSpec: {prefillSpec: {replicas: 2}}}", "spec.pdSpec.prefillSpec"),
    ("DPD1007", "spec: {modelSourceConfig: {s3Storage: {bucketName: elsewhere}}}",
     "spec.modelSourceConfig.s3Storage.bucketName"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "fragment", "path"), OF_MANIFEST)
def test_a_spoiled_manifest_gives_its_rule_in_the_manifest(
    tmp_path: Path, rule: str, fragment: str, path: str
) -> None:
    findings = found(write_pair(tmp_path, sound_template(), spoiled(fragment)))
    assert findings[rule]["path"] == path
    assert findings[rule]["file"].endswith("0.yaml") and findings[rule]["line"] > 1


OF_TEMPLATE = [
    ("DPD1005", "decode-elsewhere", "manifest"),
    ("DPD1008", "Resources: {Client: {Properties: {ServiceAccount: cliemt}}}", "template"),
    ("DPD1009", "Resources: {OperatorRole: null}", "template"),
]


@pytest.mark.parametrize(("rule", "fragment", "side"), OF_TEMPLATE)
def test_a_spoiled_template_gives_its_rule(tmp_path: Path, rule: str, fragment: str, side: str) -> None:
    value = sound_template()
    if rule == "DPD1005":
        groups = value["Resources"]["Cluster"]["Properties"]["InstanceGroups"]
        groups[1]["OverrideVpcConfig"] = {"Subnets": [{"Ref": "ZoneOne"}]}
    else:
        value = merged(value, yaml.safe_load(fragment))
    findings = found(write_pair(tmp_path, value, manifest()))
    assert findings[rule]["file"].endswith("0.yaml" if side == "manifest" else "hyperpod.template.json")


def test_service_accounts_are_judged_only_beside_the_app_that_renders_them(tmp_path: Path) -> None:
    assert "DPD1008" not in agreement(write_pair(tmp_path, sound_template(), manifest(), others=()))


def test_the_pair_is_found_by_the_environments_name(tmp_path: Path) -> None:
    first = write_pair(
        tmp_path / "a", sound_template(), spoiled("spec: {instanceType: ml.p5en.48xlarge}"), name="dev"
    )
    second = write_pair(tmp_path / "b", sound_template(), manifest(), name="prod")
    assert agreement((*first, *second)) == {"DPD1002"}


def test_an_acknowledgement_of_the_manifest_is_taken(tmp_path: Path) -> None:
    fragment = (
        "spec: {modelSourceConfig: {s3Storage: {bucketName: weights-of-another-team}}}\n"
        "metadata: {annotations: {dpd.check/acknowledge: 'DPD1007: granted by hand'}}"
    )
    findings = found(write_pair(tmp_path, sound_template(), spoiled(fragment)))
    assert findings["DPD1007"]["acknowledged"] == "granted by hand"
    assert "DPD007" not in findings


@pytest.mark.parametrize(
    "fragment",
    [
        "spec: null", "metadata: null", "spec: {pdSpec: {prefillSpec: null}}", "spec: {worker: null, pdSpec: null}",
        "spec: {modelSourceConfig: null}",
        "spec: {pdSpec: {prefillSpec: {resources: {limits: {nvidia.com/gpu: many}}}}}",
    ],
)  # fmt: skip
def test_a_manifest_with_holes_crashes_no_rule(tmp_path: Path, fragment: str) -> None:
    found(write_pair(tmp_path, sound_template(), spoiled(fragment)))


@pytest.mark.parametrize(
    "fragment",
    [
        "Resources: {Cluster: {Properties: null}}", "Resources: {Client: {Properties: null}}",
        "Resources: {Cluster: {Properties: {InstanceGroups: [{InstanceType: a}]}}}",
        "Resources: {Cluster: {Properties: {InstanceGroups: [{InstanceGroupName: prefill, InstanceCount: {Ref: N}}]}}}",
        "Resources: {Cluster: 3}", "Outputs: {A: {Export: {Name: x}}}", "Resources: {Models: null}",
        "Resources: {OperatorRole: {Properties: null}}",
    ],
)  # fmt: skip
def test_a_template_with_holes_crashes_no_rule(tmp_path: Path, fragment: str) -> None:
    found(write_pair(tmp_path, merged(sound_template(), yaml.safe_load(fragment)), manifest()))


def node_role(resource: Any, service: str = "sagemaker.amazonaws.com") -> dict[str, Any]:
    pull = {"Effect": "Allow", "Action": ["ecr:BatchGetImage"], "Resource": resource}
    return {
        "Type": "AWS::IAM::Role",
        "Properties": {
            "AssumeRolePolicyDocument": {"Statement": [{"Principal": {"Service": service}}]},
            "Policies": [{"PolicyDocument": {"Statement": [pull]}}],
        },
    }


ELSEWHERE = "spec: {worker: {image: '444455556666.dkr.ecr.eu-west-1.amazonaws.com/ml/vllm:v1'}}"


@pytest.mark.parametrize(
    ("role", "fires"),
    [
        (node_role("arn:aws:ecr:us-west-2:*:repository/*"), True),
        (node_role("arn:aws:ecr:eu-west-1:444455556666:repository/ml/vllm-2"), True),
        (node_role(["arn:aws:ecr:eu-west-1:*:repository/*"]), False),
        (node_role("arn:aws:ecr:eu-west-1:444455556666:repository/ml/vllm"), False),
        (node_role("*"), False),
        (node_role({"Ref": "Pattern"}), False),
        (node_role("arn:aws:ecr:us-west-2:*:repository/*", "lambda.amazonaws.com"), False),
    ],
)
def test_an_image_that_no_node_may_pull(tmp_path: Path, role: dict[str, Any], fires: bool) -> None:
    value = sound_template()
    value["Resources"]["NodeRole"] = role
    assert ("DPD1010" in agreement(write_pair(tmp_path, value, spoiled(ELSEWHERE)))) is fires
