"""A deployment that failed before leaves names; preflight finds them on moto, one kind after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.blueprint.stacks import stacks_of
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.live.aws import Aws
from hyperpod_dpd.live.check import Check
from hyperpod_dpd.live.names_taken import NEVER_STOOD, names_taken
from tests.support.documents import ENVIRONMENTS

ACCOUNT, REGION = "111122223333", "us-west-2"
LOADED = load_environment(ENVIRONMENTS / "dev.yaml")
BLUEPRINT = resolve(LOADED)


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_DEFAULT_REGION", REGION),
        ("AWS_EC2_METADATA_DISABLED", "true"),
        ("MOTO_ACCOUNT_ID", ACCOUNT),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    with mock_aws():
        yield


class Account(Aws):
    """moto, but for stacks in states that it never reaches, and HyperPod clusters of our choosing."""

    stacks: dict[str, dict[str, Any]]
    clusters: tuple[str, ...]

    def __init__(
        self, stacks: dict[str, dict[str, Any]] | None = None, clusters: tuple[str, ...] = ()
    ) -> None:
        super().__init__(LOADED)
        self.stacks, self.clusters = stacks or {}, clusters

    def call(self, service: str, operation: str, **parameters: Any) -> Any:
        if service == "cloudformation":
            if parameters["StackName"] not in self.stacks:
                raise KeyError("there is no such stack")
            return {"Stacks": [self.stacks[parameters["StackName"]]]}
        if service == "sagemaker":
            if parameters["ClusterName"] not in self.clusters:
                raise KeyError("there is no such cluster")
            return {"ClusterStatus": "Failed"}
        return super().call(service, operation, **parameters)


def found(aws: Aws | None = None) -> dict[str, Check]:
    return {check.subject: check for check in names_taken(aws or Account(), BLUEPRINT)}


def errors(aws: Aws | None = None) -> set[str]:
    return {subject for subject, check in found(aws).items() if check.verdict == "error"}


def test_in_an_empty_account_every_name_is_free() -> None:
    told = found()
    assert {check.verdict for check in told.values()} == {"ok"}
    kinds = {subject.rsplit(" ", 1)[0] for subject in told}
    assert {"bucket", "EKS cluster", "HyperPod cluster", "role", "log group"} <= kinds


def test_a_bucket_that_was_retained_is_found() -> None:
    bucket = BLUEPRINT.buckets.models
    place = {"LocationConstraint": REGION}
    boto3.client("s3", region_name=REGION).create_bucket(Bucket=bucket, CreateBucketConfiguration=place)
    assert errors() == {f"bucket {bucket}"}


def test_a_log_group_that_was_retained_is_found() -> None:
    watch = BLUEPRINT.observability
    assert watch is not None
    logs = boto3.client("logs", region_name=REGION)
    logs.create_log_group(logGroupName=f"{watch.pod_log_group}-of-others")
    assert errors() == set()
    logs.create_log_group(logGroupName=watch.pod_log_group)
    assert errors() == {f"log group {watch.pod_log_group}"}


def test_a_role_and_a_cluster_of_the_same_name_are_found() -> None:
    trust = '{"Version": "2012-10-17", "Statement": []}'
    role = BLUEPRINT.operator.role_name
    boto3.client("iam").create_role(RoleName=role, AssumeRolePolicyDocument=trust)
    assert errors(Account(clusters=("dpd-dev",))) == {f"role {role}", "HyperPod cluster dpd-dev"}


def test_the_names_of_a_deployed_stack_are_its_own() -> None:
    standing = {f"dpd-dev-{id}": {"StackStatus": "CREATE_COMPLETE"} for id in stacks_of(BLUEPRINT)}
    told = found(Account(standing, clusters=("dpd-dev",)))
    assert set(told) == {f"stack {name}" for name in standing}
    assert {check.verdict for check in told.values()} == {"ok"}


@pytest.mark.parametrize("status", NEVER_STOOD)
@pytest.mark.parametrize("protected", [True, False])
def test_what_is_left_of_a_failed_stack_says_how_to_go_on(status: str, protected: bool) -> None:
    stack = {"StackStatus": status, "EnableTerminationProtection": protected}
    check = found(Account({"dpd-dev-storage": stack}))["stack dpd-dev-storage"]
    begins_anew = status in {"ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS"} and not protected
    assert check.verdict == ("ok" if begins_anew else "error")
    assert ("update-termination-protection" in check.fix) is protected
    assert ("delete-stack" in check.fix) is not begins_anew
