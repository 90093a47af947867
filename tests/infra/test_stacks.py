"""Which stacks an environment has: those that the blueprint names, and none without a resource."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.blueprint.stacks import stacks_of
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.document import dump_yaml
from tests.infra.conftest import Synthesised, synthesise
from tests.support.documents import environment as example
from tests.support.merging import merged

EGRESS = [
    {"port": 22, "to": "203.0.113.0/24", "why": "Git over ssh"},
    {"port": "1018-1023", "to": "sg-0fedcba9876543210", "why": "weights of others"},
    {"port": 53, "protocol": "udp", "to": "10.9.0.2/32", "why": "our DNS"},
]
THEIRS = {
    "models": "their-models",
    "lifecycle": "sagemaker-x",
    "tls": "hyperpod-tls-x",
    "access_logs": "their-logs",
}


def made_from(fragment: dict[str, Any], folder: Path, name: str, of: str) -> Blueprint:
    path = folder / f"{name}.yaml"
    path.write_text(dump_yaml(merged(example(of), fragment)), encoding="utf-8")
    return resolve(load_environment(path))


def test_every_example_has_the_stacks_of_its_blueprint(environment: Synthesised) -> None:
    assert environment.order == stacks_of(environment.blueprint)
    assert all(template["Resources"] for template in environment.templates.values())


@pytest.fixture(scope="module")
def all_given(tmp_path_factory: pytest.TempPathFactory) -> Synthesised:
    """Network and buckets are somebody else's throughout."""
    folder = tmp_path_factory.mktemp("given")
    network = {"existing": {"security_group_id": "sg-0123456789abcdef0", "private_route_table_ids": []}}
    fragment = {"network": network, "storage": {"existing_buckets": THEIRS}}
    made = made_from(fragment, folder, "given", "existing-cluster")
    return synthesise([made], folder / "out", builtin_cloud_formation_validation=True)["given"]


def test_a_stack_that_would_be_empty_is_not_made(all_given: Synthesised) -> None:
    assert all_given.order == ["images", "hyperpod", "addons", "observability"]
    assert all_given.order == stacks_of(all_given.blueprint)


def test_what_is_given_is_named_by_its_ids(all_given: Synthesised) -> None:
    for group in all_given.one("AWS::SageMaker::Cluster")["Properties"]["InstanceGroups"]:
        place = group["OverrideVpcConfig"]
        assert place["SecurityGroupIds"] == ["sg-0123456789abcdef0"]
        assert place["Subnets"] == ["subnet-0e7a3e7a3e7a3e7a3"]


@pytest.mark.parametrize(
    ("fragment", "stack"),
    [
        ({"network": {"flow_logs": True}}, "network"),
        ({"network": {"existing": {"private_route_table_ids": ["rtb-0123456789abcdef0"]}}}, "network"),
        ({"network": {"more_endpoints": ["ec2"]}}, "network"),
        ({"network": {"existing": {"security_group_id": None}}}, "network"),
        ({"storage": {"own_kms_keys": True}}, "storage"),
        ({"storage": {"file_system": {"capacity_gib": 1200}}}, "storage"),
        ({"storage": {"existing_buckets": {"tls": None}}}, "storage"),
        ({"cluster": {"admin_role_arns": ["arn:aws:iam::111122223333:role/admin"]}}, "control-plane"),
    ],
)
def test_one_resource_brings_its_stack_back(fragment: dict[str, Any], stack: str, tmp_path: Path) -> None:
    network = {
        "flow_logs": False,
        "existing": {"security_group_id": "sg-0123456789abcdef0", "private_route_table_ids": []},
    }
    base = merged({"network": network, "storage": {"existing_buckets": THEIRS}}, fragment)
    made = made_from(base, tmp_path, "given", "existing-cluster")
    assert stack in stacks_of(made)
    assert synthesise([made], tmp_path / "out")["given"].order == stacks_of(made)


def test_ways_out_are_rules_of_the_nodes_group(tmp_path: Path) -> None:
    made = made_from({"network": {"egress": EGRESS}}, tmp_path, "outward", "dev")
    found = synthesise([made], tmp_path / "out", builtin_cloud_formation_validation=True)["outward"]
    rules = [r for r in found.properties("AWS::EC2::SecurityGroupEgress") if r["IpProtocol"] != "-1"]
    (group,) = {str(r["GroupId"]) for r in found.properties("AWS::EC2::SecurityGroupEgress")}
    assert "EfaSecurityGroup" in group
    assert [
        (
            r["IpProtocol"],
            r["FromPort"],
            r["ToPort"],
            r.get("CidrIp") or r.get("DestinationSecurityGroupId"),
            r["Description"],
        )
        for r in rules
    ] == [
        ("tcp", 22, 22, "203.0.113.0/24", "Git over ssh"),
        ("tcp", 1018, 1023, "sg-0fedcba9876543210", "weights of others"),
        ("udp", 53, 53, "10.9.0.2/32", "our DNS"),
    ]
