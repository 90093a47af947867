"""Clusters, add-ons, policies and names in templates: where the rules stop."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.templates import judge_templates, spoiled_template, template


def said(rule: str, folder: Path, fragment: str) -> list[tuple[str, str]]:
    found = judge_templates(folder, spoiled_template(fragment))
    assert "DPD001" not in {f.id for f in found}
    return [(f.severity.value, f.path.removeprefix("Resources.")) for f in found if f.id == rule]


def test_a_restricted_group_may_not_have_the_name_of_another(tmp_path) -> None:
    fragment = """
Resources: {Cluster: {Properties: {RestrictedInstanceGroups: [{InstanceGroupName: prefill}]}}}
"""
    path = "Cluster.Properties.RestrictedInstanceGroups[0].InstanceGroupName"
    assert said("DPD283", tmp_path, fragment) == [("error", path)]


@pytest.mark.parametrize(
    ("resources", "paths"),
    [
        ("{Cluster: {Properties: {VpcConfig: {Subnets: []}}}}", ["Cluster.Properties.VpcConfig"]),
        ("{Cluster: {Properties: {VpcConfig: null, Orchestrator: {Eks: null, Slurm: {}}}}}", []),
        ("{Eks: {Properties: {RoleArn: null}}}", ["Eks.Properties.RoleArn"]),
        ("{Eks: {Properties: {RoleArn: {Ref: Given}}}}", []),
        ("{Eks: {Properties: {RoleArn: {'Fn::GetAtt': [NodeRole, Arn]}}}}", ["Eks.Properties.RoleArn"]),
    ],
)
def test_what_a_cluster_needs(tmp_path, resources: str, paths: list[str]) -> None:
    assert said("DPD284", tmp_path, f"Resources: {resources}") == [("error", path) for path in paths]


def test_a_network_that_a_condition_decides_is_not_judged(tmp_path) -> None:
    value = template()
    properties = value["Resources"]["Cluster"]["Properties"]
    properties["VpcConfig"] = {"Fn::If": ["Own", properties["VpcConfig"], {"Ref": "AWS::NoValue"}]}
    assert [f for f in judge_templates(tmp_path, value) if f.id == "DPD284"] == []


@pytest.mark.parametrize(
    ("resources", "fires"),
    [
        ("{Inference: {Properties: {AddonName: {Ref: Name}}}}", False),
        ("{Inference: null, CertManager: null, S3Driver: null, FsxDriver: null, MetricsServer: null}", False),
        (
            "{Inference: null, More: {Type: 'AWS::CloudFormation::Stack', Properties: {TemplateURL: a.yaml}}}",
            False,
        ),
        ("{Inference: null, OperatorRole: null}", True),
        ("{Inference: null, OperatorRole: null, Cluster: {Properties: {InstanceGroups: []}}}", False),
    ],
)
def test_an_operator_that_comes_another_way(tmp_path, resources: str, fires: bool) -> None:
    assert bool(said("DPD285", tmp_path, f"Resources: {resources}")) is fires


@pytest.mark.parametrize(
    ("version", "severity"),
    [
        ("'1.30'", ""),
        ("1.30", ""),
        ("1.27", "error"),
        ("'1.99'", "warning"),
        ("latest", "error"),
        ("{Ref: V}", ""),
    ],
)
def test_kubernetes_versions(tmp_path, version: str, severity: str) -> None:
    file = tmp_path / "stack.yaml"
    file.write_text(
        f"Resources: {{Eks: {{Type: 'AWS::EKS::Cluster', Properties: {{Version: {version}}}}}}}\n"
    )
    from tests.support.command import dpd

    report = json.loads(dpd("check", str(file), "--format", "json").out)
    found = [each["severity"] for each in report["findings"] if each["id"] == "DPD286"]
    assert found == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("config", "severity"),
    [
        ("{EndpointPublicAccess: 'true'}", "error"),
        ("{EndpointPublicAccess: null}", "warning"),
        ("{EndpointPublicAccess: true, PublicAccessCidrs: [203.0.113.0/24]}", ""),
        ("{EndpointPublicAccess: true, PublicAccessCidrs: [203.0.113.0/24, 0.0.0.0/0]}", "error"),
        ("{EndpointPublicAccess: true, PublicAccessCidrs: {Ref: Ranges}}", ""),
        ("{EndpointPublicAccess: {Ref: Public}}", ""),
    ],
)
def test_the_api(tmp_path, config: str, severity: str) -> None:
    found = said("DPD287", tmp_path, f"Resources: {{Eks: {{Properties: {{ResourcesVpcConfig: {config}}}}}}}")
    assert [each for each, _ in found] == ([severity] if severity else [])


STATEMENTS = [
    ({"Principal": "*"}, True),
    ({"NotPrincipal": {"AWS": "arn:aws:iam::1:root"}}, True),
    ({"Principal": "*", "Condition": {"Bool": {"aws:SecureTransport": "true"}}}, True),
    ({"Principal": "*", "Condition": {"StringEquals": {"kms:CallerAccount": "111122223333"}}}, False),
    ({"Principal": {"AWS": {"Ref": "Somebody"}}}, False),
    ({"Principal": "*", "Effect": "Deny"}, False),
    ({"NotPrincipal": {"AWS": "arn:aws:iam::1:root"}, "Effect": "Deny"}, False),
]
POLICIES = [("AWS::SNS::TopicPolicy", "PolicyDocument", "DPD288"), ("AWS::KMS::Key", "KeyPolicy", "DPD288"),
            ("AWS::ECR::Repository", "RepositoryPolicyText", "DPD288"),
            ("AWS::S3::BucketPolicy", "PolicyDocument", "DPD262"),
            ("AWS::IAM::Role", "AssumeRolePolicyDocument", "DPD260")]  # fmt: skip


@pytest.mark.parametrize(("kind", "key", "rule"), POLICIES)
@pytest.mark.parametrize(("statement", "fires"), STATEMENTS)
def test_policies_for_anybody(
    tmp_path, kind: str, key: str, rule: str, statement: dict[str, Any], fires: bool
) -> None:
    whole = {"Effect": "Allow", "Action": "a:Do", "Resource": "*", **statement}
    added = {"Type": kind, "Properties": {key: {"Statement": [whole]}}}
    found = said(rule, tmp_path, json.dumps({"Resources": {"Added": added}}))
    assert found == ([("error", f"Added.Properties.{key}")] if fires else [])


NAMES = [
    ("a-1.b", ""), ("ab", "3 to 63"), ("a" * 63, ""), ("a" * 64, "3 to 63"), ("Models", "'M'"), ("a..b", "two dots"),
    ("-ab", "begin and end"), ("10.0.0.1", "IP address"), ("xn--models", "keeps for itself"),
    ("models-s3alias", "keeps for itself"), ({"Fn::Sub": "a-${AWS::AccountId}"}, ""),
    ({"Fn::Sub": "A-${AWS::AccountId}"}, "'A'"), ({"Ref": "Name"}, ""),
    ({"Fn::Join": ["-", ["a" * 62, {"Ref": "AWS::Region"}]]}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "says"), NAMES)
def test_bucket_names(tmp_path, name: Any, says: str) -> None:
    value = template()
    value["Resources"]["Models"]["Properties"]["BucketName"] = name
    found = [f.message for f in judge_templates(tmp_path, value) if f.id == "DPD289"]
    assert len(found) == bool(says) and all(says in message for message in found)


VALUES = [
    ("{executionRoleArn: a, tlsCertificateS3Bucket: hyperpod-tls-a, hyperpodClusterArn: b}", False),
    ({"Fn::Join": ["", ['{"executionRoleArn":"', {"Ref": "R"}, '","tlsCertificateS3Bucket":"hyperpod-tls-a",',
                        '"hyperpodClusterArn":"b","alb":{"enabled":', {"Ref": "On"}, "}}"]]}, False),
    ({"Ref": "Values"}, False),
    ('{"executionRoleArn": ', True),
    ("[1, 2]", True),
    ("not at all", True),
]  # fmt: skip


@pytest.mark.parametrize(("values", "fires"), VALUES)
def test_configuration_values_are_json_or_yaml(tmp_path, values: Any, fires: bool) -> None:
    value = template()
    value["Resources"]["Inference"]["Properties"]["ConfigurationValues"] = values
    found = [f for f in judge_templates(tmp_path, value) if f.id == "DPD265"]
    assert [f.message for f in found] == (
        ["the configuration values are neither a JSON object nor a YAML mapping"] if fires else []
    )
