"""A change reaches what it is about and nothing else; what holds data stays."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.conftest import BLUEPRINTS, Deployed, Place, synthesise
from tests.support.documents import ENVIRONMENTS

STATEFUL = {
    "AWS::ECR::Repository",
    "AWS::FSx::FileSystem",
    "AWS::KMS::Key",
    "AWS::S3::Bucket",
}


def changed_environments(folder: Path, name: str, old: str, new: str) -> Path:
    """A copy of environments/ with one document changed."""
    environments = folder / "environments"
    shutil.copytree(ENVIRONMENTS, environments)
    document = environments / f"{name}.yaml"
    text = document.read_text(encoding="utf-8")
    assert text.count(old) == 1
    document.write_text(text.replace(old, new), encoding="utf-8")
    return environments


def differences(old: Any, new: Any, path: str = "") -> list[str]:
    """Paths at which two templates differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = sorted({*old, *new})
        return [d for k in keys for d in differences(old.get(k), new.get(k), f"{path}/{k}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            d for i, pair in enumerate(zip(old, new, strict=True)) for d in differences(*pair, f"{path}/{i}")
        ]
    return [] if old == new else [path]


@pytest.mark.slow
def test_one_more_prefiller_changes_one_number(deployed: Deployed, tmp_path: Path) -> None:
    old, new = (
        "prefill: {instance_type: ml.p5.48xlarge, count: 1}",
        "prefill: {instance_type: ml.p5.48xlarge, count: 2}",
    )
    assembly = synthesise(tmp_path / "out", changed_environments(tmp_path, "dev", old, new))
    after = Deployed(deployed.cloud, assembly, {})
    before = deployed.templates("dev")
    changed = [
        f"{stack}{path}"
        for stack, template in after.templates("dev").items()
        for path in differences(before[stack], template)
    ]
    (only,) = changed
    assert only.startswith("dpd-dev-hyperpod/Resources/HyperPod")
    assert only.endswith("/Properties/InstanceGroups/1/InstanceCount")
    blueprint = BLUEPRINTS["dev"]
    said = deployed.cloud.cdk(
        "deploy",
        "-a",
        str(assembly),
        "--require-approval=never",
        "dev/*",
        account=blueprint.account,
        region=blueprint.region,
    )
    assert said.count("(no changes)") == len(before) - 1
    place = Place(blueprint, after.templates("dev"), deployed.cloud)
    told = place.client("sagemaker").describe_cluster(ClusterName=blueprint.cluster.hyperpod_name)
    assert {g["InstanceGroupName"]: g["TargetCount"] for g in told["InstanceGroups"]} == {
        "system": 2,
        "prefill": 2,
        "decode": 1,
    }
    (update,) = [line for line in deployed.cloud.recorded("update") if line["type"] != "AWS::IAM::Role"]
    assert update["type"] == "AWS::SageMaker::Cluster"


@pytest.fixture(scope="module", params=sorted(BLUEPRINTS))
def templates(request: pytest.FixtureRequest, synthesised: Path) -> tuple[str, dict[str, dict[str, Any]]]:
    from hyperpod_dpd.view.fingerprints import read_templates

    return request.param, read_templates(synthesised / f"assembly-{request.param}")


@pytest.fixture(scope="module")
def synthesised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synthesise(tmp_path_factory.mktemp("retention"))


def test_production_keeps_what_holds_state_and_others_do_not(
    templates: tuple[str, dict[str, dict[str, Any]]],
) -> None:
    name, stacks = templates
    keep = BLUEPRINTS[name].production
    wanted = ("RetainExceptOnCreate", "Retain") if keep else ("Delete", "Delete")
    for template in stacks.values():
        for logical, resource in template["Resources"].items():
            if resource["Type"] in STATEFUL:
                policies = (resource.get("DeletionPolicy"), resource.get("UpdateReplacePolicy"))
                assert policies == wanted, logical
            if resource["Type"] == "AWS::EKS::Cluster":
                assert resource["Properties"].get("DeletionProtection", False) is BLUEPRINTS[name].protected
