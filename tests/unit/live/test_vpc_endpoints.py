"""Preflight of a closed network: endpoints that the Region offers, that a VPC has, and that it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import boto3
import pytest
from moto import mock_aws

from hyperpod_dpd.blueprint.model import Blueprint, NetworkPlan
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.live.aws import Aws
from hyperpod_dpd.live.check import Check
from hyperpod_dpd.live.vpc_endpoints import vpc_endpoints
from tests.support.documents import ENVIRONMENTS

REGION, ACCOUNT = "us-east-1", "222233334444"


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


@pytest.fixture
def vpc() -> str:
    ec2 = boto3.client("ec2", region_name=REGION)
    return str(ec2.create_vpc(CidrBlock="10.60.0.0/16")["Vpc"]["VpcId"])


def add(vpc: str, service: str, *, private_dns: bool = True) -> None:
    ec2 = boto3.client("ec2", region_name=REGION)
    (subnet,) = ec2.describe_subnets(Filters=[{"Name": "vpc-id", "Values": [vpc]}])["Subnets"] or [
        ec2.create_subnet(VpcId=vpc, CidrBlock="10.60.1.0/24")["Subnet"]
    ]
    ec2.create_vpc_endpoint(
        VpcId=vpc,
        VpcEndpointType="Interface",
        ServiceName=f"com.amazonaws.{REGION}.{service}",
        SubnetIds=[subnet["SubnetId"]],
        PrivateDnsEnabled=private_dns,
    )


def plan(**changes: Any) -> Blueprint:
    blueprint = resolve(load_environment(ENVIRONMENTS / "closed-network.yaml"))
    network: NetworkPlan = replace(blueprint.network, **changes)
    return replace(blueprint, network=network)


def checks(blueprint: Blueprint) -> dict[str, Check]:
    aws = Aws(load_environment(ENVIRONMENTS / "closed-network.yaml"))
    return {check.subject: check for check in vpc_endpoints(aws, blueprint)}


def test_all_that_we_make_is_offered_in_the_region(vpc: str) -> None:
    found = checks(plan(existing_vpc_id=vpc))
    assert {f"endpoint service {s}" for s in ("ec2", "secretsmanager", "grafana-workspace")} <= set(found)
    assert {check.verdict for check in found.values()} == {"ok"}, found


def test_a_service_without_an_endpoint_is_an_error(vpc: str) -> None:
    found = checks(plan(existing_vpc_id=vpc, interface_endpoints=("ec2", "acm")))
    assert found["endpoint service ec2"].verdict == "ok"
    assert found["endpoint service acm"].verdict == "error"
    assert found["endpoint service acm"].fix


def test_what_the_owner_should_have_is_looked_for(vpc: str) -> None:
    add(vpc, "ec2")
    add(vpc, "sts", private_dns=False)
    found = checks(plan(existing_vpc_id=vpc, interface_endpoints=(), their_endpoints=("ec2", "sts", "logs")))
    assert found["endpoint ec2"].verdict == "ok"
    assert "private DNS" in found["endpoint sts"].message
    assert "has none" in found["endpoint logs"].message
    assert {c.verdict for name, c in found.items() if name != "endpoint ec2"} == {"error"}


def test_one_that_exists_is_not_made_again(vpc: str) -> None:
    add(vpc, "logs")
    found = checks(plan(existing_vpc_id=vpc, interface_endpoints=("logs", "sts")))
    assert "network.existing.interface_endpoints" in found["endpoint logs"].fix
    assert "endpoint sts" not in found


def test_one_without_a_private_name_is_in_nobodys_way(vpc: str) -> None:
    add(vpc, "sts", private_dns=False)
    assert "endpoint sts" not in checks(plan(existing_vpc_id=vpc, interface_endpoints=("sts",)))


def test_an_open_network_asks_nothing() -> None:
    assert checks(plan(interface_endpoints=(), their_endpoints=())) == {}
