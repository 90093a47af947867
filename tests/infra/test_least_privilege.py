"""What each role may do, and what it may not, decided with the conditions that stand in its policies."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hyperpod_dpd.blueprint import names
from infra.permissions.jobs import prefix_writer_statements
from infra.place import Place
from tests.infra.conftest import Synthesised
from tests.infra.iam_evaluator import Context, UnknownOperator, allows, as_list, managed_policy
from tests.infra.test_roles import trust

KNOWN = {"StringEquals", "StringLike", "ArnLike", "ArnEquals", "Bool", "ForAllValues:StringEquals"}
"""Operators whose evaluation is tested below."""


def flat(value: Any) -> Any:
    """References as text that a pattern can be held against: the logical id or export that they name."""
    if isinstance(value, dict):
        if "Fn::Join" in value:
            return "".join(flat(part) for part in value["Fn::Join"][1])
        if "Fn::ImportValue" in value:
            return f"imported:{value['Fn::ImportValue']}"
        if "Fn::GetAtt" in value:
            return f"here:{value['Fn::GetAtt'][0]}"
        if "Ref" in value:
            return f"here:{value['Ref']}"
        return {key: flat(item) for key, item in value.items()}
    return [flat(item) for item in value] if isinstance(value, list) else value


class Role:
    """One role of a template with all that it may do, AWS's managed policies included or not."""

    def __init__(self, environment: Synthesised, fragment: str) -> None:
        found = [
            r
            for key, r in environment.resources("AWS::IAM::Role").items()
            if fragment in key or r["Properties"].get("RoleName") == fragment
        ]
        assert len(found) == 1, fragment
        self.resource = found[0]
        properties = self.resource["Properties"]
        self.own = [
            flat(s) for p in properties.get("Policies", []) for s in as_list(p["PolicyDocument"]["Statement"])
        ]
        self.managed = [s for arn in properties.get("ManagedPolicyArns", []) for s in managed_policy(arn)]

    def may(self, action: str, resource: str) -> bool:
        return allows([*self.own, *self.managed], action, resource)


def tag(kind: str, value: str) -> dict[str, str]:
    return {f"aws:{kind}/{names.LOAD_BALANCER_OWNER_TAG}": value}


def may(role: Role, action: str, resource: str, context: Context) -> bool:
    return allows([*role.own, *role.managed], action, resource, context)


def test_nodes_reach_their_scripts_images_and_interfaces_only(full: Synthesised) -> None:
    plan = full.blueprint
    role = Role(full, names.node_role(plan.name, plan.region))
    scripts = f"arn:aws:s3:::{plan.buckets.lifecycle}/on_create.sh"
    assert role.may("s3:GetObject", scripts)
    assert role.may("ecr:BatchGetImage", f"arn:aws:ecr:{plan.region}:602401143452:repository/eks/coredns")
    interface = f"arn:aws:ec2:{plan.region}:{plan.account}:network-interface/eni-1"
    assert role.may("ec2:DeleteNetworkInterface", interface)
    for action, resource in (
        ("s3:PutObject", scripts),
        ("s3:GetObject", f"arn:aws:s3:::{plan.buckets.models}/models/weights.safetensors"),
        ("s3:GetObject", f"arn:aws:s3:::{plan.buckets.tls}/certificate.pem"),
        ("ec2:DeleteNetworkInterface", f"arn:aws:ec2:{plan.region}:999999999999:network-interface/eni-1"),
        ("ec2:TerminateInstances", f"arn:aws:ec2:{plan.region}:{plan.account}:instance/i-1"),
        ("ecr:PutImage", f"arn:aws:ecr:{plan.region}:{plan.account}:repository/vllm"),
        ("iam:PassRole", f"arn:aws:iam::{plan.account}:role/admin"),
        ("secretsmanager:GetSecretValue", "arn:aws:secretsmanager:us-west-2:1:secret:x"),
        ("eks-auth:AssumeRoleForPodIdentity", f"arn:aws:eks:{plan.region}:{plan.account}:cluster/another"),
    ):
        assert not role.may(action, resource), f"{action} on {resource}"


def test_nodes_decrypt_through_s3_only(full: Synthesised) -> None:
    plan = full.blueprint
    role = Role(full, names.node_role(plan.name, plan.region))
    (key,) = {r for s in role.own for r in as_list(s["Resource"]) if "kms:Decrypt" in s["Action"]}
    assert "data" in key
    through = {"kms:ViaService": f"s3.{plan.region}.amazonaws.com"}
    assert may(role, "kms:Decrypt", key, through)
    assert not may(role, "kms:Decrypt", key, {})
    assert not may(
        role, "kms:Decrypt", key, {"kms:ViaService": f"secretsmanager.{plan.region}.amazonaws.com"}
    )
    assert not may(role, "kms:Decrypt", "another-key", through)
    assert not may(role, "kms:ScheduleKeyDeletion", key, through)


def test_drivers_read_models_and_find_file_systems(full: Synthesised) -> None:
    plan = full.blueprint
    s3 = Role(full, "S3Driver")
    weights = f"arn:aws:s3:::{plan.buckets.models}/models/weights.safetensors"
    assert s3.may("s3:GetObject", weights)
    assert s3.may("s3:ListBucket", f"arn:aws:s3:::{plan.buckets.models}")
    for action in ("s3:PutObject", "s3:DeleteObject", "s3:GetObjectAcl", "s3:PutBucketPolicy"):
        assert not s3.may(action, weights)
    assert not s3.may("s3:GetObject", f"arn:aws:s3:::{plan.buckets.tls}/certificate.pem")
    fsx = Role(full, "FsxDriver")
    here = f"arn:aws:fsx:{plan.region}:{plan.account}:file-system/fs-1"
    assert fsx.may("fsx:DescribeFileSystems", here)
    assert not fsx.may("fsx:DeleteFileSystem", here)
    assert not fsx.may("fsx:DescribeFileSystems", f"arn:aws:fsx:{plan.region}:999999999999:file-system/fs-1")


def test_nobody_makes_a_load_balancer_of_somebody_else_theirs_by_tagging_it(plain: Synthesised) -> None:
    plan = plain.blueprint
    role, cluster = Role(plain, "OperatorLoadBalancer"), plan.cluster.eks_name
    add, remove = "elasticloadbalancing:AddTags", "elasticloadbalancing:RemoveTags"
    here = f"arn:aws:elasticloadbalancing:{plan.region}:{plan.account}:"
    for theirs in (f"{here}loadbalancer/app/x/1", f"{here}targetgroup/x/1"):
        for action in (add, remove):
            assert not may(role, action, theirs, {})
            assert not may(role, action, theirs, tag("RequestTag", cluster))
            assert may(role, action, theirs, tag("ResourceTag", cluster))
        creation = {"elasticloadbalancing:CreateAction": "CreateLoadBalancer", **tag("RequestTag", cluster)}
        assert may(role, add, theirs, creation)
    assert may(role, add, f"{here}listener/app/x/1/2", {})


def test_grants_on_the_volumes_key_go_to_services_of_aws_only(environments: dict[str, Synthesised]) -> None:
    scaled = environments["closed-network"]
    plan = scaled.blueprint
    role = Role(scaled, "ClusterRole")
    (key,) = {r for s in role.own for r in as_list(s["Resource"]) if "kms:CreateGrant" in s["Action"]}
    through = {"kms:ViaService": f"sagemaker.{plan.region}.amazonaws.com"}
    service = {
        **through,
        "kms:GrantIsForAWSResource": "true",
        "kms:GrantOperations": ["Decrypt", "CreateGrant"],
    }
    assert may(role, "kms:CreateGrant", key, service)
    assert may(role, "kms:DescribeKey", key, through)
    assert not may(role, "kms:CreateGrant", key, {**service, "kms:GrantIsForAWSResource": "false"})
    assert not may(role, "kms:CreateGrant", key, {**service, "kms:GrantOperations": ["Decrypt", "Sign"]})
    assert not may(role, "kms:CreateGrant", key, {**service, "kms:ViaService": "ec2.us-west-2.amazonaws.com"})
    assert not may(role, "kms:CreateGrant", key, through)


def test_the_load_balancer_controller_touches_its_own_cluster_only(plain: Synthesised) -> None:
    plan = plain.blueprint
    role, cluster = Role(plain, "OperatorLoadBalancer"), plan.cluster.eks_name
    balancer = f"arn:aws:elasticloadbalancing:{plan.region}:{plan.account}:loadbalancer/app/x/1"
    group = f"arn:aws:ec2:{plan.region}:{plan.account}:security-group/sg-other"
    make, remove = "elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:DeleteLoadBalancer"
    assert may(role, make, balancer, tag("RequestTag", cluster))
    assert may(role, remove, balancer, tag("ResourceTag", cluster))
    for action, resource, context in (
        (make, balancer, {}),
        (make, balancer, tag("RequestTag", "another")),
        (make, balancer.replace("/app/", "/net/"), tag("RequestTag", cluster)),
        (remove, balancer, {}),
        (remove, balancer, tag("ResourceTag", "another")),
        ("ec2:DeleteSecurityGroup", group, tag("ResourceTag", "another")),
        ("ec2:AuthorizeSecurityGroupIngress", group, {}),
        ("iam:CreateServiceLinkedRole", "arn:aws:iam::1:role/x", {"iam:AWSServiceName": "ec2.amazonaws.com"}),
        ("wafv2:AssociateWebACL", balancer, tag("ResourceTag", cluster)),
    ):
        assert not may(role, action, resource, context), f"{action} on {resource} with {context}"


def test_the_autoscaler_reads_metrics_and_changes_nothing(plain: Synthesised) -> None:
    plan = plain.blueprint
    role = Role(plain, "OperatorAutoscaler")
    workspace = f"arn:aws:aps:{plan.region}:{plan.account}:workspace/ws-1"
    assert role.may("aps:QueryMetrics", workspace)
    assert role.may("cloudwatch:GetMetricData", "*")
    assert not role.may("aps:RemoteWrite", workspace)
    assert not role.may("aps:QueryMetrics", f"arn:aws:aps:{plan.region}:999999999999:workspace/ws-1")
    assert not role.may("cloudwatch:PutMetricData", "*")


def test_the_operator_writes_certificates_and_no_weights(plain: Synthesised) -> None:
    """All of it by AWS's managed policy, which is why the TLS bucket and the role have the names they have."""
    plan = plain.blueprint
    role = Role(plain, plan.operator.role_name)
    assert not role.own
    tagged = {
        "s3:RequestObjectTag/CreatedBy": "HyperPodInference",
        "aws:ResourceAccount": plan.account,
        "aws:PrincipalAccount": plan.account,
    }
    certificate = f"arn:aws:s3:::{plan.buckets.tls}/certificate.pem"
    assert may(role, "s3:PutObject", certificate, tagged)
    elsewhere = {**tagged, "aws:ResourceAccount": "999999999999"}
    assert not may(role, "s3:PutObject", certificate, elsewhere)
    assert not may(role, "s3:PutObject", f"arn:aws:s3:::{plan.buckets.models}/weights", tagged)
    assert not may(role, "s3:DeleteBucket", f"arn:aws:s3:::{plan.buckets.tls}", tagged)
    to_sagemaker = {"iam:PassedToService": "sagemaker.amazonaws.com"}
    ours = f"arn:aws:iam::{plan.account}:role/{plan.operator.role_name}"
    assert may(role, "iam:PassRole", ours, to_sagemaker)
    assert not may(role, "iam:PassRole", f"arn:aws:iam::{plan.account}:role/admin", to_sagemaker)
    assert not may(role, "iam:PassRole", ours, {"iam:PassedToService": "ec2.amazonaws.com"})


def test_karpenter_adds_and_removes_nodes(environments: dict[str, Synthesised]) -> None:
    closed = environments["closed-network"]
    plan, role = closed.blueprint, Role(closed, "ClusterRole")
    cluster = f"arn:aws:sagemaker:{plan.region}:{plan.account}:cluster/abcdefghijkl"
    assert role.may("sagemaker:BatchAddClusterNodes", cluster)
    assert role.may("sagemaker:BatchDeleteClusterNodes", cluster)
    assert not role.may("sagemaker:DeleteCluster", cluster)
    assert not role.may("sagemaker:BatchAddClusterNodes", cluster.replace(plan.account, "999999999999"))
    (statement,) = trust(role.resource)
    assert statement["Principal"] == {"Service": "hyperpod.sagemaker.amazonaws.com"}
    assert statement["Condition"]["StringEquals"] == {"aws:SourceAccount": plan.account}


def test_the_staging_job_writes_below_one_prefix(environments: dict[str, Synthesised]) -> None:
    full = environments["full"]
    plan = full.blueprint
    (staging,) = plan.apps.staging
    role = Role(full, f"{staging.namespace}{staging.service_account}".replace("-", ""))
    models = f"arn:aws:s3:::{plan.buckets.models}"
    assert role.may("s3:PutObject", f"{models}/{staging.prefix}/model-00001.safetensors")
    listing = {"s3:prefix": f"{staging.prefix}/"}
    assert may(role, "s3:ListBucket", models, listing)
    for action, resource, context in (
        ("s3:PutObject", f"{models}/{staging.prefix}-other/model.safetensors", {}),
        ("s3:PutObject", f"{models}/another/model.safetensors", {}),
        ("s3:DeleteObject", f"{models}/{staging.prefix}/model-00001.safetensors", {}),
        ("s3:PutObject", f"arn:aws:s3:::{plan.buckets.tls}/{staging.prefix}/x", {}),
        ("s3:ListBucket", models, {}),
        ("s3:ListBucket", models, {"s3:prefix": "another/"}),
    ):
        assert not may(role, action, resource, context), f"{action} on {resource} with {context}"
    (statement,) = trust(role.resource)
    assert statement["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    association = [
        a
        for a in full.properties("AWS::EKS::PodIdentityAssociation")
        if a["ServiceAccount"] == staging.service_account
    ]
    assert [a["Namespace"] for a in association] == [staging.namespace]


def test_argo_cd_has_no_right_in_aws_that_nobody_asked_for(environments: dict[str, Synthesised]) -> None:
    closed = environments["closed-network"]
    role = Role(closed, "ArgoCd")
    assert not role.own
    assert not role.managed
    (statement,) = trust(role.resource)
    assert statement["Principal"] == {"Service": "capabilities.eks.amazonaws.com"}
    assert set(statement["Action"]) == {"sts:AssumeRole", "sts:TagSession"}


def test_every_condition_of_ours_is_one_that_the_evaluator_knows(environment: Synthesised) -> None:
    for key, resource in environment.resources("AWS::IAM::Role").items():
        for policy in resource["Properties"].get("Policies", []):
            for statement in policy["PolicyDocument"]["Statement"]:
                operators = set(statement.get("Condition", {}))
                assert operators <= KNOWN, key


@pytest.mark.parametrize(
    ("condition", "context", "expected"),
    [
        ({"StringLike": {"s3:prefix": ["models/*"]}}, {"s3:prefix": "models/a"}, True),
        ({"StringLike": {"s3:prefix": ["models/*"]}}, {"s3:prefix": "other/a"}, False),
        ({"StringLike": {"s3:prefix": ["models/*"]}}, {}, False),
        ({"ArnLike": {"a": "arn:aws:ec2:*:1:vpc-flow-log/*"}}, {"a": "arn:aws:ec2:x:1:vpc-flow-log/y"}, True),
        (
            {"ArnLike": {"a": "arn:aws:ec2:*:1:vpc-flow-log/*"}},
            {"a": "arn:aws:ec2:x:2:vpc-flow-log/y"},
            False,
        ),
        ({"Bool": {"aws:SecureTransport": "false"}}, {"aws:SecureTransport": "false"}, True),
        ({"Bool": {"aws:SecureTransport": "false"}}, {"aws:SecureTransport": "true"}, False),
        ({"StringEquals": {"a": "x"}, "StringLike": {"b": "y*"}}, {"a": "x", "b": "z"}, False),
        ({"StringNotEquals": {"a": "x"}}, {"a": "y"}, True),
        ({"StringEqualsIfExists": {"a": "x"}}, {}, True),
        ({"Null": {"a": "false"}}, {"a": "x"}, True),
        ({"Null": {"a": "false"}}, {}, False),
        ({"ForAllValues:StringEquals": {"a": ["x", "y"]}}, {"a": ["x", "z"]}, False),
    ],
)
def test_the_evaluator_heeds_conditions(condition: Any, context: Any, expected: bool) -> None:
    statement = {"Effect": "Allow", "Action": "s3:*", "Resource": "*", "Condition": condition}
    assert allows([statement], "s3:ListBucket", "arn:aws:s3:::b", context) is expected


def test_the_evaluator_lets_a_deny_win_and_refuses_to_guess() -> None:
    yes = {"Effect": "Allow", "Action": "s3:Get*", "Resource": "*"}
    no = {"Effect": "Deny", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::secret/*"}
    assert allows([yes, no], "s3:GetObject", "arn:aws:s3:::open/x")
    assert not allows([yes, no], "s3:GetObject", "arn:aws:s3:::secret/x")
    odd = {**yes, "Condition": {"DateGreaterThan": {"aws:CurrentTime": "2026-01-01"}}}
    with pytest.raises(UnknownOperator):
        allows([odd], "s3:GetObject", "arn:aws:s3:::open/x", {"aws:CurrentTime": "2027-01-01"})


def test_bucket_policies_refuse_plain_http(environment: Synthesised) -> None:
    for policy in environment.properties("AWS::S3::BucketPolicy"):
        statements = [flat(s) for s in policy["PolicyDocument"]["Statement"]]
        bucket = as_list(json.loads(json.dumps(statements[0]["Resource"])))[0]
        open_door = {"Effect": "Allow", "Action": "*", "Resource": "*"}
        plain_http = {"aws:SecureTransport": "false"}
        assert not allows([open_door, *statements], "s3:GetObject", f"{bucket}/x", plain_http)
        assert allows(
            [open_door, *statements], "s3:GetObject", f"{bucket}/x", {"aws:SecureTransport": "true"}
        )


def test_a_prefix_with_wildcards_means_itself() -> None:
    place = Place(partition="aws", region="us-west-2", account="111122223333")
    for prefix in ("*", "models/?", "a/${aws:userid}", "models"):
        statements = prefix_writer_statements(place, bucket="b", prefix=prefix, key_arn=None)[
            "WriteOnePrefix"
        ]
        put, wanted = "s3:PutObject", f"arn:aws:s3:::b/{prefix}/weights"
        listing = {"s3:prefix": f"{prefix}/"}
        assert allows(statements, put, wanted)
        assert allows(statements, "s3:ListBucket", "arn:aws:s3:::b", listing)
        for other in ("other/weights", "models/x/weights", "a/me/weights"):
            assert not allows(statements, put, f"arn:aws:s3:::b/{other}") or (
                prefix == "models" and other[0] == "m"
            )
        assert not allows(statements, "s3:ListBucket", "arn:aws:s3:::b", {"s3:prefix": "other/"})
