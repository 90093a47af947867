"""Buckets, keys, lifecycle scripts and the file system."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.infra.conftest import Synthesised


def buckets(environment: Synthesised) -> dict[str, dict[str, Any]]:
    return {
        r["Properties"]["BucketName"]: r for r in environment.resources("AWS::S3::Bucket", "storage").values()
    }


def algorithm(bucket: dict[str, Any]) -> str:
    (rule,) = bucket["Properties"]["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    return str(rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"])


def test_the_four_buckets_have_the_names_that_others_rely_on(environment: Synthesised) -> None:
    plan = environment.blueprint.buckets
    assert set(buckets(environment)) == {plan.models, plan.lifecycle, plan.tls, plan.access_logs}
    assert plan.lifecycle.startswith("sagemaker-")
    assert plan.tls.startswith("hyperpod-tls")


def test_every_bucket_is_closed_and_encrypted(environment: Synthesised) -> None:
    for bucket in buckets(environment).values():
        block = bucket["Properties"]["PublicAccessBlockConfiguration"]
        assert block == dict.fromkeys(
            ["BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"], True
        )
        assert algorithm(bucket) in {"AES256", "aws:kms"}


def test_every_bucket_refuses_plain_http(environment: Synthesised) -> None:
    resources = environment.templates["storage"]["Resources"]
    refusing = set()
    for policy in environment.properties("AWS::S3::BucketPolicy"):
        for statement in policy["PolicyDocument"]["Statement"]:
            if statement["Effect"] == "Deny" and statement["Condition"] == {
                "Bool": {"aws:SecureTransport": "false"}
            }:
                assert statement["Action"] == "s3:*"
                refusing.add(resources[policy["Bucket"]["Ref"]]["Properties"]["BucketName"])
    assert refusing == set(buckets(environment))


def test_access_logs_go_to_a_bucket_that_can_take_them(environment: Synthesised) -> None:
    plan = environment.blueprint.buckets
    made = buckets(environment)
    # S3 delivers its access logs only where S3's own keys encrypt.
    assert algorithm(made[plan.access_logs]) == "AES256"
    assert "LoggingConfiguration" not in made[plan.access_logs]["Properties"]
    for name in (plan.models, plan.lifecycle, plan.tls):
        logging = made[name]["Properties"]["LoggingConfiguration"]
        assert logging == {"DestinationBucketName": plan.access_logs, "LogFilePrefix": f"{name}/"}


def test_what_holds_state_outlives_the_stack_in_production(environment: Synthesised) -> None:
    retain = environment.blueprint.buckets.retain
    # A first deployment that fails takes away what it made, so that a second one finds the names free.
    wanted = ("RetainExceptOnCreate", "Retain") if retain else ("Delete", "Delete")
    for kind in (
        "AWS::S3::Bucket",
        "AWS::KMS::Key",
        "AWS::FSx::FileSystem",
        "AWS::APS::Workspace",
        "AWS::ECR::Repository",
    ):
        for resource in environment.resources(kind).values():
            assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == wanted


def test_keys_exist_only_where_the_document_asks(environment: Synthesised) -> None:
    keys = environment.resources("AWS::KMS::Key", "storage")
    assert len(keys) == (2 if environment.blueprint.own_kms_keys else 0)
    for key in keys.values():
        (statement,) = key["Properties"]["KeyPolicy"]["Statement"]
        assert statement["Principal"] == {"AWS": f"arn:aws:iam::{environment.blueprint.account}:root"}
        assert key["Properties"]["EnableKeyRotation"] is True


def test_own_keys_encrypt_all_but_logs_and_what_fsx_reads(full: Synthesised) -> None:
    plan = full.blueprint.buckets
    assert {name: algorithm(b) for name, b in buckets(full).items()} == {
        plan.access_logs: "AES256",
        plan.models: "AES256",
        plan.tls: "aws:kms",
        plan.lifecycle: "aws:kms",
    }
    assert "KmsKeyId" in full.one("AWS::FSx::FileSystem")["Properties"]


def test_file_system_stands_in_the_accelerator_subnet(full: Synthesised) -> None:
    plan = full.blueprint.file_system
    assert plan is not None
    system = full.one("AWS::FSx::FileSystem")["Properties"]
    (group,) = full.one("AWS::SageMaker::Cluster")["Properties"]["VpcConfig"]["Subnets"]
    assert system["SubnetIds"] == [group]
    assert system["StorageCapacity"] == plan.capacity_gib
    assert system["LustreConfiguration"]["DeploymentType"] == "PERSISTENT_2"
    assert system["LustreConfiguration"]["PerUnitStorageThroughput"] == plan.throughput_mbps_per_tib


def test_file_system_is_linked_to_the_models_and_never_writes_back(full: Synthesised) -> None:
    plan = full.blueprint
    assert plan.file_system is not None
    link = full.one("AWS::FSx::DataRepositoryAssociation")
    path = f"s3://{plan.buckets.models}/{plan.file_system.data_prefix}/"
    assert link["Properties"]["DataRepositoryPath"] == path
    assert link["Properties"]["FileSystemPath"] == f"/{plan.file_system.data_prefix}"
    assert list(link["Properties"]["S3"]) == ["AutoImportPolicy"]
    bucket = next(
        k for k, b in full.resources("AWS::S3::Bucket").items() if b == buckets(full)[plan.buckets.models]
    )
    assert bucket in link["DependsOn"]


def test_the_copy_of_lifecycle_scripts_is_the_only_custom_resource(environment: Synthesised) -> None:
    custom = [r for _, r in environment.all_resources() if r["Type"].startswith("Custom::")]
    functions = environment.resources("AWS::Lambda::Function", "storage")
    if environment.blueprint.cluster.lifecycle_scripts is None:
        assert not custom
        assert not functions
    else:
        (copy,) = custom
        assert copy["Type"] == "Custom::CDKBucketDeployment"
        assert copy["Properties"]["DestinationBucketName"] == environment.blueprint.buckets.lifecycle
        assert copy["Properties"]["DestinationBucketKeyPrefix"] == f"dpd-{environment.blueprint.name}/scripts"
        assert copy["Properties"]["Prune"] is True
        assert len(functions) == 1


def test_every_lifecycle_script_is_copied(environments: dict[str, Synthesised], scripts: Path) -> None:
    environment = environments["scripts"]
    (copy,) = environment.properties("Custom::CDKBucketDeployment")
    (key,) = copy["SourceObjectKeys"]
    assets = json.loads(next(environment.assembly.glob("*storage*.assets.json")).read_text())
    source = assets["files"][key.removesuffix(".zip")]["source"]
    copied = {p.name for p in (environment.assembly / source["path"]).iterdir()}
    assert copied == {p.name for p in scripts.iterdir()} == {"on_create.sh", "on_create_main.sh"}


def test_scripts_are_copied_once_their_bucket_stands(environments: dict[str, Synthesised]) -> None:
    """The copy names the bucket by text, so that no reference makes it wait."""
    scripted = environments["prod"]
    template = scripted.templates["storage"]["Resources"]
    (copy,) = scripted.resources("Custom::CDKBucketDeployment", "storage").values()
    (bucket,) = [
        key
        for key, item in template.items()
        if item["Type"] == "AWS::S3::Bucket"
        and item["Properties"]["BucketName"] == scripted.blueprint.buckets.lifecycle
    ]
    assert bucket in copy["DependsOn"]
