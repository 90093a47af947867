"""The network of nodes in templates: what counts as open, as a way out, and as a name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from hyperpod_dpd.catalog import requirements
from tests.support.merging import merged
from tests.support.templates import judge_templates, spoiled_template, template

NEEDED = [each.service for each in requirements.endpoint_services() if each.when == "always"]


def said(rule: str, folder: Path, fragment: str) -> list[tuple[str, str]]:
    return [
        (f.severity.value, f.path)
        for f in judge_templates(folder, spoiled_template(fragment))
        if f.id == rule
    ]


@pytest.mark.parametrize(
    ("allowed", "severity"),
    [
        ("{CidrIp: 0.0.0.0/0, IpProtocol: tcp, FromPort: 443, ToPort: 443}", "error"),
        ("{CidrIpv6: '::/0', IpProtocol: '-1'}", "error"),
        ("{CidrIp: 128.0.0.0/2, IpProtocol: '-1'}", "warning"),
        ("{CidrIp: 10.0.0.0/8, IpProtocol: '-1'}", ""),
        ("{CidrIp: {Ref: Range}, IpProtocol: '-1'}", ""),
        ("{CidrIp: nonsense, IpProtocol: '-1'}", ""),
        ("{SourcePrefixListId: pl-1, IpProtocol: '-1'}", ""),
    ],
)
def test_ingress_of_nodes(tmp_path, allowed: str, severity: str) -> None:
    fragment = f"Resources: {{Nodes: {{Properties: {{SecurityGroupIngress: [{allowed}]}}}}}}"
    path = "Resources.Nodes.Properties.SecurityGroupIngress"
    assert said("DPD280", tmp_path, fragment) == ([(severity, path)] if severity else [])


def test_a_group_with_efas_rule_is_taken_for_one_of_nodes(tmp_path) -> None:
    fragment = """
Resources:
  Cluster: null
  Nodes: {Properties: {SecurityGroupIngress: [{CidrIp: 0.0.0.0/0, IpProtocol: '-1'}]}}
"""
    assert [severity for severity, _ in said("DPD280", tmp_path, fragment)] == ["warning"]


def test_a_group_that_is_no_nodes_may_be_open(tmp_path) -> None:
    fragment = """
Resources:
  Balancer:
    Type: AWS::EC2::SecurityGroup
    Properties: {GroupDescription: x, SecurityGroupIngress: [{CidrIp: 0.0.0.0/0, IpProtocol: tcp}]}
"""
    assert said("DPD280", tmp_path, fragment) == []


WAYS = [
    ("{WayOut: {Properties: {NatGatewayId: null, TransitGatewayId: tgw-1}}}", False),
    ("{WayOut: {Properties: {NatGatewayId: nat-0123456789abcdef0}}}", False),
    ("{WayOut: {Properties: {DestinationCidrBlock: null, DestinationPrefixListId: pl-1}}}", False),
    ("{WayOut: {Properties: {DestinationCidrBlock: 10.1.0.0/16}}}", True),
    ("{WayOut: {Properties: {NatGatewayId: null}}}", True),
    ("{WayOut: {Properties: {NatGatewayId: null, GatewayId: {Ref: Internet}}}}", True),
    ("{Nat: null}", True),
    ("{Nat: {Properties: {ConnectivityType: private}}, ToInternet: null}", False),
    ("{ToInternet: null}", True),
    ("{UseTwo: null}", True),
    ("{UseOne: null}", False),
    ("{UseTwo: {Properties: {RouteTableId: rtb-0123456789abcdef0}}}", False),
    ("{Vpc: null}", False),
]


@pytest.mark.parametrize(("resources", "fires"), WAYS)
def test_ways_out(tmp_path, resources: str, fires: bool) -> None:
    found = said("DPD281", tmp_path, f"Resources: {resources}")
    assert found == ([("error", "Resources.ZoneTwo")] if fires else [])


def test_a_nat_gateway_that_is_a_parameter_is_trusted(tmp_path) -> None:
    fragment = "{Parameters: {Nat: {Type: String}}, Resources: {Nat: null}}"
    assert said("DPD281", tmp_path, fragment) == []


def test_a_nested_stack_that_is_not_here_may_have_the_route(tmp_path) -> None:
    fragment = """
Resources:
  WayOut: null
  More: {Type: 'AWS::CloudFormation::Stack', Properties: {TemplateURL: more.yaml}}
"""
    assert said("DPD281", tmp_path, fragment) == [("warning", "Resources.ZoneTwo")]


def closed(services: list[str]) -> dict[str, Any]:
    value = template()
    del value["Resources"]["WayOut"]
    for index, service in enumerate(services):
        value["Resources"][f"Endpoint{index}"] = {
            "Type": "AWS::EC2::VPCEndpoint",
            "Properties": {
                "VpcId": {"Ref": "Vpc"},
                "VpcEndpointType": "Interface",
                "ServiceName": {"Fn::Sub": f"com.amazonaws.${{AWS::Region}}.{service}"},
            },
        }
    return value


def test_a_closed_network_needs_every_endpoint(tmp_path) -> None:
    assert [f for f in judge_templates(tmp_path, closed(NEEDED)) if f.id == "DPD281"] == []
    (found,) = [
        f
        for f in judge_templates(tmp_path, closed([s for s in NEEDED if s != "ecr.api"]))
        if f.id == "DPD281"
    ]
    assert found.message.endswith("its VPC has no interface endpoint for ecr.api")


@pytest.mark.parametrize(
    ("vpc", "switches"),
    [
        ("{EnableDnsSupport: null}", []),
        ("{EnableDnsHostnames: null}", ["EnableDnsHostnames"]),
        (
            "{EnableDnsHostnames: 'false', EnableDnsSupport: false}",
            ["EnableDnsSupport", "EnableDnsHostnames"],
        ),
        ("{EnableDnsHostnames: {Ref: Names}}", []),
    ],
)
def test_names(tmp_path, vpc: str, switches: list[str]) -> None:
    found = said("DPD282", tmp_path, f"Resources: {{Vpc: {{Properties: {vpc}}}}}")
    assert sorted(found) == sorted(("error", f"Resources.Vpc.Properties.{switch}") for switch in switches)


def test_a_vpc_without_nodes_is_not_judged(tmp_path) -> None:
    value = merged(template(), yaml.safe_load("Resources: {Other: {Type: 'AWS::EC2::VPC', Properties: {}}}"))
    assert [f for f in judge_templates(tmp_path, value) if f.id == "DPD282"] == []
