"""The HyperPod cluster: one subnet for both roles, and nothing in the template that was not asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.infra.conftest import Synthesised


def cluster(environment: Synthesised) -> dict[str, Any]:
    properties: dict[str, Any] = environment.one("AWS::SageMaker::Cluster")["Properties"]
    return properties


def groups(environment: Synthesised) -> dict[str, dict[str, Any]]:
    return {g["InstanceGroupName"]: g for g in cluster(environment)["InstanceGroups"]}


def walk(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield from walk(child, (*path, key))


def test_prefill_and_decode_share_one_subnet(environment: Synthesised) -> None:
    by_role = {
        plan.role: groups(environment)[plan.name]["OverrideVpcConfig"]
        for plan in environment.blueprint.cluster.groups
        if plan.role in {"prefill", "decode"}
    }
    assert set(by_role) == {"prefill", "decode"}
    assert by_role["prefill"] == by_role["decode"]
    assert len(by_role["decode"]["Subnets"]) == 1
    assert len(by_role["decode"]["SecurityGroupIds"]) == 1


def test_groups_follow_the_plan(environment: Synthesised) -> None:
    made = groups(environment)
    assert list(made) == [plan.name for plan in environment.blueprint.cluster.groups]
    for plan in environment.blueprint.cluster.groups:
        group = made[plan.name]
        assert group["InstanceType"] == plan.instance_type
        assert group["InstanceCount"] == plan.count
        assert group["ThreadsPerCore"] == plan.threads_per_core
        assert group.get("KubernetesConfig", {}).get("Labels", {}) == dict(plan.labels)
        assert group.get("OnStartDeepHealthChecks", []) == list(plan.deep_health_checks)
        assert group.get("TrainingPlanArn") == plan.training_plan_arn
        assert group.get("MinInstanceCount") == plan.min_count


def test_the_cluster_runs_on_the_eks_cluster(environment: Synthesised) -> None:
    properties = cluster(environment)
    assert properties["ClusterName"] == environment.blueprint.cluster.hyperpod_name
    assert list(properties["Orchestrator"]) == ["Eks"]
    arn = properties["Orchestrator"]["Eks"]["ClusterArn"]
    if environment.blueprint.cluster.existing is None:
        assert "control-plane" in arn["Fn::ImportValue"]
    else:
        assert arn.endswith(f":cluster/{environment.blueprint.cluster.eks_name}")
    assert properties["NodeProvisioningMode"] == "Continuous"
    recovery = "Automatic" if environment.blueprint.cluster.node_recovery else "None"
    assert properties["NodeRecovery"] == recovery
    assert len(properties["VpcConfig"]["Subnets"]) == 1


def test_keys_are_spelled_as_cloudformation_wants(environment: Synthesised) -> None:
    free = {"Labels", "Fn::ImportValue", "Fn::GetAtt", "Ref"}
    for path, value in walk(cluster(environment)):
        if isinstance(value, dict) and not free & set(path):
            wrong = [k for k in value if k not in free and not (k[0].isupper() and k.isalnum())]
            assert not wrong, f"{wrong} at {path}"


def test_what_is_unset_is_absent(environment: Synthesised) -> None:
    for path, value in walk(cluster(environment)):
        # "Spot: {}" is how CloudFormation says spot.
        if path[-2:] != ("CapacityRequirements", "Spot"):
            assert value not in ({}, [], "", None), f"empty value at {path}"


@pytest.mark.parametrize(
    "absent",
    [
        "MinInstanceCount",
        "OnStartDeepHealthChecks",
        "TrainingPlanArn",
        "CapacityRequirements",
        "LifeCycleConfig",
        "InstanceRequirements",
        "ImageId",
    ],
)
def test_a_plain_group_has_no_options(plain: Synthesised, absent: str) -> None:
    assert all(absent not in group for group in groups(plain).values())
    assert "TieredStorageConfig" not in cluster(plain)


def test_spot_is_said_for_the_spot_group_only(unusual: Synthesised) -> None:
    asked = {
        name: g["CapacityRequirements"] for name, g in groups(unusual).items() if "CapacityRequirements" in g
    }
    assert asked == {"spare": {"Spot": {}}}


def test_taints_are_those_of_the_plan(unusual: Synthesised) -> None:
    asked = {name: g.get("KubernetesConfig", {}).get("Taints") for name, g in groups(unusual).items()}
    assert asked["spare"] == [
        {"Key": "dpd", "Value": "spare", "Effect": "NoSchedule"},
        {"Key": "alone", "Effect": "NoExecute"},
    ]
    assert [name for name, taints in asked.items() if taints] == ["spare"]


def test_no_volume_means_no_storage_configuration(unusual: Synthesised) -> None:
    assert "InstanceStorageConfigs" not in groups(unusual)["system"]
    assert "KubernetesConfig" not in groups(unusual)["system"]


def test_own_key_covers_root_and_extra_volumes(full: Synthesised) -> None:
    prefill = [c["EbsVolumeConfig"] for c in groups(full)["prefill"]["InstanceStorageConfigs"]]
    assert [(v.get("VolumeSizeInGB"), v.get("RootVolume")) for v in prefill] == [(500, None), (None, True)]
    decode = [c["EbsVolumeConfig"] for c in groups(full)["decode"]["InstanceStorageConfigs"]]
    assert [v.get("RootVolume") for v in decode] == [True]
    assert all("VolumeKmsKeyId" in v for v in prefill + decode)


def test_lifecycle_scripts_are_named_only_where_there_are_some(environment: Synthesised) -> None:
    plan = environment.blueprint
    wanted = (
        {
            "SourceS3Uri": f"s3://{plan.buckets.lifecycle}/dpd-{plan.name}/scripts/",
            "OnCreate": "on_create.sh",
        }
        if plan.cluster.lifecycle_scripts
        else None
    )
    assert [g.get("LifeCycleConfig") for g in groups(environment).values()] == [wanted] * len(
        groups(environment)
    )


def test_tiered_storage_takes_the_planned_share(full: Synthesised) -> None:
    assert cluster(full)["TieredStorageConfig"] == {
        "Mode": "Enable",
        "InstanceMemoryAllocationPercentage": 20,
    }


def test_region_lists_are_ignored_only_for_types_that_they_lack(
    plain: Synthesised, unusual: Synthesised
) -> None:
    assert "cfn-lint" not in plain.one("AWS::SageMaker::Cluster").get("Metadata", {})
    metadata = unusual.one("AWS::SageMaker::Cluster")["Metadata"]
    assert metadata["cfn-lint"]["config"]["ignore_checks"] == ["E3644"]
