"""Preflight and outputs against moto in this process, and against stubs where moto has no answer."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import boto3
import pytest
import yaml
from moto import mock_aws

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.live import preflight as subject
from hyperpod_dpd.live.aws import Aws, NoAccess
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS, ROOT
from tests.support.eks_stub import healthy, serving

ACCOUNT = "111122223333"


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_DEFAULT_REGION", "us-west-2"),
        ("AWS_EC2_METADATA_DISABLED", "true"),
        ("MOTO_ACCOUNT_ID", ACCOUNT),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    with serving(healthy()) as address, mock_aws():
        monkeypatch.setenv("AWS_ENDPOINT_URL_EKS", address)
        yield


class Quotas(Aws):
    """The account with quotas of our choosing: moto has none of SageMaker's."""

    values: ClassVar[dict[str, float]] = {}

    def pages(self, service: str, operation: str, key: str, **parameters: Any) -> list[Any]:
        if service == "service-quotas":
            return [{"QuotaName": name, "Value": value} for name, value in self.values.items()]
        return super().pages(service, operation, key, **parameters)


def checks(values: dict[str, float], name: str = "dev") -> dict[str, subject.Check]:
    loaded = load_environment(ENVIRONMENTS / f"{name}.yaml")
    aws = Quotas(loaded)
    aws.values = values  # type: ignore[misc]
    return {check.subject: check for check in subject.preflight(aws, resolve(loaded))}


ENOUGH = {
    "ml.p5.48xlarge for cluster usage": 2.0,
    "ml.m5.4xlarge for cluster usage": 2.0,
    subject.PER_CLUSTER: 20.0,
    subject.ALL_CLUSTERS: 30.0,
    subject.VOLUME: 1024.0,
}


def test_an_account_that_fits() -> None:
    found = checks(ENOUGH)
    assert {check.verdict for check in found.values()} == {"ok"}, found
    assert "zone usw2-az2" in found
    assert "ml.p5.48xlarge in usw2-az2" in found


@pytest.mark.parametrize(
    ("quota", "value"),
    [
        ("ml.p5.48xlarge for cluster usage", 1.0),
        ("ml.p5.48xlarge for cluster usage", 0.0),
        (subject.PER_CLUSTER, 3.0),
        (subject.VOLUME, 499.0),
    ],
)
def test_quotas_are_held_against_what_the_groups_may_grow_to(quota: str, value: float) -> None:
    check = checks({**ENOUGH, quota: value})[quota]
    assert check.verdict == "error"
    assert f"{value:g}" in check.message
    assert "Service Quotas" in check.fix


def test_a_quota_that_nobody_lists_is_not_checked_and_not_passed() -> None:
    found = checks({})
    assert found["ml.p5.48xlarge for cluster usage"].verdict == "not checked"


def test_a_zone_that_the_account_lacks_and_a_type_that_the_zone_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = Aws.call

    def call(self: Aws, service: str, operation: str, **parameters: Any) -> Any:
        if operation == "describe_availability_zones":
            return {"AvailabilityZones": [{"ZoneId": "usw2-az1", "ZoneName": "us-west-2a"}]}
        if operation == "describe_instance_type_offerings":
            return {"InstanceTypeOfferings": [{"Location": "usw2-az1"}]}
        return plain(self, service, operation, **parameters)

    monkeypatch.setattr(Aws, "call", call)
    found = checks(ENOUGH)
    assert found["zone usw2-az2"].verdict == "error"
    offer = found["ml.p5.48xlarge in usw2-az2"]
    assert offer.verdict == "error"
    assert "usw2-az1" in offer.fix


def test_another_accounts_credentials_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTO_ACCOUNT_ID", "999999999999")
    aws = Aws(load_environment(ENVIRONMENTS / "dev.yaml"))
    with pytest.raises(NoAccess, match="999999999999"):
        aws.client("ec2")
    outcome = dpd("preflight", str(ENVIRONMENTS / "dev.yaml"))
    assert outcome.status == 2
    assert "AWS_PROFILE" in outcome.err


@pytest.mark.parametrize(
    ("values", "status", "summary"),
    [
        (ENOUGH, 0, {"fail": 0, "unknown": 0}),
        ({}, 0, {"fail": 0, "unknown": 5}),
        ({**ENOUGH, subject.VOLUME: 1.0}, 1, {"fail": 1, "unknown": 0}),
    ],
)
def test_the_verb_reports_and_fails_for_errors_only(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, float], status: int, summary: dict[str, int]
) -> None:
    monkeypatch.setattr(Quotas, "values", values)
    monkeypatch.setattr("hyperpod_dpd.live.aws.Aws", Quotas)
    environment = str(ENVIRONMENTS / "dev.yaml")
    outcome = dpd("preflight", environment, "--format", "json")
    assert outcome.status == status
    report = json.loads(outcome.out)
    told = report["summary"]
    assert {tuple(each) for each in report["checks"]} == {("name", "status", "detail", "action")}
    assert told == {word: sum(each["status"] == word for each in report["checks"]) for word in told}
    assert {key: told[key] for key in summary} == summary
    quiet = dpd("preflight", environment, "-q").out
    assert ("error" in quiet) is (summary["fail"] > 0)


def test_a_service_that_does_not_answer_stops_no_other_check(monkeypatch: pytest.MonkeyPatch) -> None:
    def pages(self: Aws, service: str, operation: str, key: str, **parameters: Any) -> list[Any]:
        raise NoAccess(f"{service}:{operation} is not allowed to these credentials")

    monkeypatch.setattr(Quotas, "pages", pages)
    found = checks(ENOUGH)
    assert found["quotas"].verdict == "not checked"
    assert "service-quotas" in found["quotas"].message
    assert found["zone usw2-az2"].verdict == "ok"


def test_every_name_of_a_check_is_documented() -> None:
    page = (ROOT / "docs" / "preflight.md").read_text(encoding="utf-8")
    told = [
        name
        for row in page.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`([^`]+)`", row.split("|")[1])
    ]
    patterns = [re.compile(re.sub(r"\b(ZONE|TYPE|SUBNET|SERVICE|NAME)\b", ".+", name)) for name in told]
    found = set(checks(ENOUGH)) | set(checks(ENOUGH, "existing-cluster"))
    assert [name for name in found if not any(pattern.fullmatch(name) for pattern in patterns)] == []


@pytest.fixture
def stacks() -> None:
    """The deployed stacks of dev, as far as their outputs matter."""
    client = boto3.client("cloudformation", region_name="us-west-2")
    for stack, outputs in (
        ("network", {"VpcId": "vpc-0123456789abcdef0", "Other": "x"}),
        ("hyperpod", {"HyperPodClusterArn": "arn:aws:sagemaker:us-west-2:111122223333:cluster/abcdefghijkl"}),
        (
            "storage",
            {"FileSystemId": "fs-0123456789abcdef0", "FileSystemDnsName": "d", "FileSystemMountName": "m"},
        ),
        (
            "observability",
            {"PrometheusUrl": "https://aps-workspaces.us-west-2.amazonaws.com/workspaces/ws-1/"},
        ),
    ):
        template = {
            "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
            "Outputs": {key: {"Value": value} for key, value in outputs.items()},
        }
        client.create_stack(StackName=f"dpd-dev-{stack}", TemplateBody=json.dumps(template))


@pytest.mark.usefixtures("stacks")
def test_outputs_are_pulled_into_a_document_that_loads(tmp_path: Path) -> None:
    shutil.copytree(ENVIRONMENTS, tmp_path / "environments")
    file = tmp_path / "environments" / "dev.yaml"
    outcome = dpd("outputs", "pull", str(file), "--format", "json")
    assert outcome.status == 0, outcome.err
    told = json.loads(outcome.out)
    assert "dpd-dev-addons" in told["missing"]
    written = yaml.safe_load((tmp_path / "environments" / "outputs" / "dev.yaml").read_text(encoding="utf-8"))
    assert written["vpc_id"] == "vpc-0123456789abcdef0"
    assert written["prometheus_url"].endswith("/ws-1"), "the operator refuses a trailing slash"
    assert written["zone_names"]["usw2-az2"].startswith("us-west-2")
    assert "Other" not in json.dumps(written)
    outputs = load_environment(file).outputs
    assert outputs.file_system is not None
    assert outputs.file_system.id == "fs-0123456789abcdef0"
    assert "unchanged" in dpd("outputs", "pull", str(file)).out
