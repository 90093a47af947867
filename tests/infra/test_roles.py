"""Roles: who may assume each, and that none may do more than its work."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from hyperpod_dpd.blueprint import names
from tests.infra.conftest import Synthesised

ISSUER = "oidc.example/id/1"

ANY_RESOURCE = re.compile(
    r"(ec2:(Describe|Get)\w+|elasticloadbalancing:Describe\w+|acm:(Describe|List)\w+"
    r"|iam:(Get|List)ServerCertificates?|shield:(Describe|Get)\w+|waf(-regional|v2):Get\w+"
    r"|cloudwatch:(Get|List)Metric\w*|cloudwatch:DescribeAlarmsForMetric|ecr:GetAuthorizationToken"
    r"|aps:ListWorkspaces|tag:GetResources)"
)
"""Actions that read, and for which IAM offers no narrower resource or which look across the account."""


def statements(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for policy in role["Properties"].get("Policies", []):
        yield from policy["PolicyDocument"]["Statement"]


def trust(role: dict[str, Any]) -> list[dict[str, Any]]:
    """The trust policy as IAM will see it."""
    document = role["Properties"]["AssumeRolePolicyDocument"]
    if "Fn::Sub" in document:
        text, variables = document["Fn::Sub"]
        assert list(variables) == ["Issuer"]
        document = json.loads(text.replace("${Issuer}", ISSUER))
    found: list[dict[str, Any]] = document["Statement"]
    return found


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def service_accounts(role: dict[str, Any]) -> set[str]:
    """Service accounts that may assume a role, each as namespace:name."""
    found: set[str] = set()
    for statement in trust(role):
        if "Federated" in statement["Principal"]:
            condition = statement["Condition"]
            assert list(condition) == ["StringEquals"], "a pattern would let other pods in"
            assert condition["StringEquals"][f"{ISSUER}:aud"] == "sts.amazonaws.com"
            for subject in as_list(condition["StringEquals"][f"{ISSUER}:sub"]):
                found.add(subject.removeprefix("system:serviceaccount:"))
    return found


def role_of(environment: Synthesised, fragment: str) -> dict[str, Any]:
    found = [r for key, r in environment.resources("AWS::IAM::Role", "addons").items() if fragment in key]
    assert len(found) == 1
    return found[0]


def node_role(environment: Synthesised) -> dict[str, Any]:
    wanted = names.node_role(environment.blueprint.name, environment.blueprint.region)
    roles = environment.resources("AWS::IAM::Role", "hyperpod").values()
    (role,) = [r for r in roles if r["Properties"].get("RoleName") == wanted]
    return role


def policies(environment: Synthesised) -> Iterator[dict[str, Any]]:
    """Every policy statement of an environment, wherever it stands."""
    for _, resource in environment.all_resources():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::IAM::Role":
            yield from trust(resource)
            yield from statements(resource)
        for key in ("PolicyDocument", "KeyPolicy"):
            if key in properties:
                yield from properties[key]["Statement"]


def test_nobody_is_let_in_by_wildcard(environment: Synthesised) -> None:
    for statement in policies(environment):
        principal = statement.get("Principal")
        values = list(principal.values()) if isinstance(principal, dict) else [principal]
        if statement["Effect"] == "Allow":
            assert all("*" not in as_list(value) for value in values), statement


def test_the_operator_is_known_under_both_names(environment: Synthesised) -> None:
    (role,) = [
        r
        for r in environment.resources("AWS::IAM::Role").values()
        if r["Properties"].get("RoleName") == environment.blueprint.operator.role_name
    ]
    assert role["Properties"]["RoleName"].startswith("SageMakerHyperPodInference")
    assert service_accounts(role) == {
        "hyperpod-inference-system:hyperpod-inference-controller-manager",
        "hyperpod-inference-system:hyperpod-inference-operator-controller-manager",
    }
    services = [s["Principal"]["Service"] for s in trust(role) if "Service" in s["Principal"]]
    assert services == ["sagemaker.amazonaws.com"]
    (managed,) = role["Properties"]["ManagedPolicyArns"]
    assert managed.endswith(":policy/AmazonSageMakerHyperPodInferenceAccess")


@pytest.mark.parametrize(
    ("fragment", "addon", "helm"),
    [
        (
            "OperatorLoadBalancer",
            "hyperpod-inference-system:aws-load-balancer-controller",
            "kube-system:aws-load-balancer-controller",
        ),
        ("OperatorAutoscaler", "hyperpod-inference-system:keda-operator", "keda:keda-operator"),
        ("S3Driver", "kube-system:s3-csi-driver-sa", "kube-system:s3-csi-driver-sa"),
    ],
)
def test_each_controller_has_exactly_its_service_account(
    plain: Synthesised, unusual: Synthesised, fragment: str, addon: str, helm: str
) -> None:
    assert service_accounts(role_of(plain, fragment)) == {addon}
    assert service_accounts(role_of(unusual, fragment)) == {helm}


def test_the_oidc_trust_is_tied_to_this_cluster(plain: Synthesised) -> None:
    document = role_of(plain, "S3Driver")["Properties"]["AssumeRolePolicyDocument"]["Fn::Sub"]
    url = document[1]["Issuer"]["Fn::Select"][1]["Fn::Split"][1]["Fn::ImportValue"]
    exports = {
        o["Export"]["Name"]: o["Value"]
        for o in plain.templates["control-plane"]["Outputs"].values()
        if "Export" in o
    }
    assert exports[url]["Fn::GetAtt"][1] == "OpenIdConnectIssuerUrl"
    (statement,) = trust(role_of(plain, "S3Driver"))
    provider = f"arn:aws:iam::{plain.blueprint.account}:oidc-provider/{ISSUER}"
    assert statement["Principal"] == {"Federated": provider}


def test_pod_identity_may_tag_sessions_and_only_for_this_cluster(plain: Synthesised) -> None:
    (statement,) = trust(role_of(plain, "FsxDriver"))
    assert statement["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    assert set(statement["Action"]) == {"sts:AssumeRole", "sts:TagSession"}
    assert statement["Condition"]["StringEquals"] == {"aws:SourceAccount": plain.blueprint.account}
    assert "control-plane" in statement["Condition"]["ArnEquals"]["aws:SourceArn"]["Fn::ImportValue"]


def test_nodes_run_as_a_role_of_sagemaker(environment: Synthesised) -> None:
    role = node_role(environment)
    assert [s["Principal"] for s in trust(role)] == [{"Service": "sagemaker.amazonaws.com"}]
    (managed,) = role["Properties"]["ManagedPolicyArns"]
    assert managed.endswith(":policy/AmazonSageMakerClusterInstanceRolePolicy")


def test_the_nodes_can_run_the_cni_pull_images_and_use_pod_identity(environment: Synthesised) -> None:
    role = node_role(environment)
    allowed = {action for s in statements(role) for action in s["Action"]}
    assert {
        "ec2:AssignPrivateIpAddresses",
        "ec2:AttachNetworkInterface",
        "ec2:CreateNetworkInterface",
        "ec2:CreateNetworkInterfacePermission",
        "ec2:CreateTags",
        "ec2:DeleteNetworkInterface",
        "ec2:DeleteNetworkInterfacePermission",
        "ec2:DescribeDhcpOptions",
        "ec2:DescribeInstances",
        "ec2:DescribeInstanceTypes",
        "ec2:DescribeNetworkInterfaces",
        "ec2:DescribeSecurityGroups",
        "ec2:DescribeSubnets",
        "ec2:DescribeTags",
        "ec2:DescribeVpcs",
        "ec2:DetachNetworkInterface",
        "ec2:ModifyNetworkInterfaceAttribute",
        "ec2:UnassignPrivateIpAddresses",
        "ecr:BatchCheckLayerAvailability",
        "ecr:BatchGetImage",
        "ecr:GetAuthorizationToken",
        "ecr:GetDownloadUrlForLayer",
        "eks-auth:AssumeRoleForPodIdentity",
        "s3:GetObject",
        "s3:ListBucket",
    } <= allowed
    assert ("kms:CreateGrant" in allowed) is environment.blueprint.own_kms_keys


def test_only_reading_is_allowed_on_any_resource(environment: Synthesised) -> None:
    for stack in environment.order:
        if stack == "storage":
            continue  # the one custom resource, which is CDK's
        for role in environment.resources("AWS::IAM::Role", stack).values():
            for statement in statements(role):
                assert "NotAction" not in statement
                assert "NotResource" not in statement
                assert not [a for a in statement["Action"] if a.endswith("*")]
                if "*" in as_list(statement["Resource"]):
                    wide = [a for a in statement["Action"] if not ANY_RESOURCE.fullmatch(a)]
                    assert not wide, f"{wide} on any resource"


def test_resources_are_of_this_account(environment: Synthesised) -> None:
    for role in environment.resources("AWS::IAM::Role", "addons").values():
        for statement in statements(role):
            for arn in as_list(statement["Resource"]):
                if isinstance(arn, str) and arn != "*" and not arn.startswith("arn:aws:s3:::"):
                    assert arn.split(":")[4] == environment.blueprint.account


def test_csi_drivers_read_and_never_write(environment: Synthesised) -> None:
    models = environment.blueprint.buckets.models
    s3 = {
        (action, json.dumps(s["Resource"]))
        for s in statements(role_of(environment, "S3Driver"))
        for action in s["Action"]
        if action.startswith("s3:")
    }
    assert s3 == {
        ("s3:ListBucket", json.dumps(f"arn:aws:s3:::{models}")),
        ("s3:GetObject", json.dumps(f"arn:aws:s3:::{models}/*")),
    }
    fsx = [a for s in statements(role_of(environment, "FsxDriver")) for a in s["Action"]]
    assert fsx == ["fsx:DescribeFileSystems"]


def test_load_balancers_of_other_clusters_are_out_of_reach(plain: Synthesised) -> None:
    tag = f"aws:ResourceTag/{names.LOAD_BALANCER_OWNER_TAG}"
    deleting = [
        s
        for s in statements(role_of(plain, "OperatorLoadBalancer"))
        if {"elasticloadbalancing:DeleteLoadBalancer", "ec2:DeleteSecurityGroup"} & set(s["Action"])
    ]
    assert len(deleting) == 2
    for statement in deleting:
        assert statement["Condition"]["StringEquals"][tag] == plain.blueprint.cluster.eks_name


def test_own_keys_can_be_used_by_those_who_need_them(full: Synthesised) -> None:
    nodes = node_role(full)
    with_key = [s for s in statements(nodes) if any(a.startswith("kms:") for a in s["Action"])]
    assert {a for s in with_key for a in s["Action"]} == {"kms:CreateGrant", "kms:DescribeKey", "kms:Decrypt"}
    # HyperPod sends no encryption context: a condition on one would lock it out.
    assert "EncryptionContext" not in json.dumps(with_key)
