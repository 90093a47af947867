"""Preflight holds the document against the clusters that run, by the table that the lock and --previous use."""

from __future__ import annotations

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.live.aws import Aws
from hyperpod_dpd.live.check import Check
from hyperpod_dpd.live.deployed import deployed
from tests.support.documents import ENVIRONMENTS

ROLE = "arn:aws:iam::111122223333:role/r"


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_DEFAULT_REGION", "us-west-2"),
        ("AWS_EC2_METADATA_DISABLED", "true"),
        ("MOTO_ACCOUNT_ID", "111122223333"),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    with mock_aws():
        yield


def run(version: str) -> None:
    boto3.client("eks", region_name="us-west-2").create_cluster(
        name="dpd-dev", version=version, roleArn=ROLE, resourcesVpcConfig={"subnetIds": []}
    )


def nodes(**types: str) -> None:
    boto3.client("sagemaker", region_name="us-west-2").create_cluster(
        ClusterName="dpd-dev",
        InstanceGroups=[
            {
                "InstanceGroupName": name,
                "InstanceType": kind,
                "InstanceCount": 1,
                "ThreadsPerCore": 1,
                "ExecutionRole": ROLE,
                "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-x/y", "OnCreate": "on_create.sh"},
            }
            for name, kind in types.items()
        ],
    )


def found() -> dict[str, Check]:
    loaded = load_environment(ENVIRONMENTS / "dev.yaml")
    return {check.subject: check for check in deployed(Aws(loaded), resolve(loaded))}


def test_an_empty_account_has_nothing_to_lose() -> None:
    assert found() == {}


def test_what_runs_as_the_document_says_is_ok() -> None:
    run("1.33")
    nodes(prefill="ml.p5.48xlarge", system="ml.m5.4xlarge")
    assert {check.verdict for check in found().values()} == {"ok"}


def test_one_version_up_is_ok() -> None:
    run("1.32")
    assert {check.verdict for check in found().values()} == {"ok"}


@pytest.mark.parametrize("version", ["1.34", "1.31"])
def test_kubernetes_goes_neither_down_nor_up_by_two(version: str) -> None:
    run(version)
    check = found()["kubernetes version"]
    assert check.verdict == "error" and f"runs as {version}, the document says 1.33" in check.message


def test_another_type_of_a_group_is_told_with_the_way_to_do_it() -> None:
    nodes(prefill="ml.p4d.24xlarge", gone="ml.m5.large")
    check = found()["instance-group prefill type"]
    assert check.verdict == "error" and "a group keeps its type" in check.message
    assert "such as 'prefill-2'" in check.fix and "'dev/hyperpod'" in check.fix
