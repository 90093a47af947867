"""The re-derivation itself: a sound pair agrees, and each spoiled fact is named once."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.view.pair import Disagreement, NodeHardware, disagreements

TYPE = "ml.p5.48xlarge"
HARDWARE = {TYPE: NodeHardware(gpus=8, efa_interfaces=32)}
ADDONS = {
    "kube-system/s3-csi-driver-sa",
    f"{names.OPERATOR_NAMESPACE}/{names.OPERATOR_SERVICE_ACCOUNT}",
    f"{names.OPERATOR_NAMESPACE}/{names.OPERATOR_SERVICE_ACCOUNT_HELM}",
}


def group(name: str, count: int = 1) -> dict[str, Any]:
    return {
        "InstanceGroupName": name,
        "InstanceType": TYPE,
        "InstanceCount": count,
        "KubernetesConfig": {"Labels": {"dpd.hyperpod/role": name}},
        "OverrideVpcConfig": {
            "SecurityGroupIds": [{"Fn::ImportValue": "net:efa"}],
            "Subnets": [{"Fn::ImportValue": "net:accelerator"}],
        },
    }


def trust(*accounts: str) -> dict[str, Any]:
    return {
        "Type": "AWS::IAM::Role",
        "Properties": {
            "AssumeRolePolicyDocument": {
                "Statement": [{"Condition": {"StringEquals": {"issuer:sub": list(accounts)}}}]
            }
        },
    }


def sound_templates() -> dict[str, Any]:
    operator = [
        f"system:serviceaccount:{names.OPERATOR_NAMESPACE}:{account}"
        for account in (names.OPERATOR_SERVICE_ACCOUNT, names.OPERATOR_SERVICE_ACCOUNT_HELM)
    ]
    return {
        "network": {
            "Resources": {
                "A": {"Type": "AWS::EC2::Subnet", "Properties": {}},
                "B": {"Type": "AWS::EC2::Subnet", "Properties": {}},
            },
            "Outputs": {
                "One": {"Value": {"Ref": "A"}, "Export": {"Name": "net:accelerator"}},
                "Same": {"Value": {"Fn::GetAtt": ["A", "SubnetId"]}, "Export": {"Name": "net:same"}},
                "Two": {"Value": {"Ref": "B"}, "Export": {"Name": "net:other"}},
            },
        },
        "storage": {
            "Resources": {
                "Models": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "models"}},
                "Tls": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "hyperpod-tls-x"}},
                "Unnamed": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": {"Ref": "Name"}}},
            }
        },
        "hyperpod": {
            "Resources": {
                "Cluster": {
                    "Type": "AWS::SageMaker::Cluster",
                    "Properties": {"InstanceGroups": [group("prefill"), group("decode")]},
                },
                "Operator": trust(*operator),
                "Driver": {
                    "Type": "AWS::EKS::PodIdentityAssociation",
                    "Properties": {"Namespace": "kube-system", "ServiceAccount": "s3-csi-driver-sa"},
                },
                "Client": {
                    "Type": "AWS::EKS::PodIdentityAssociation",
                    "Properties": {"Namespace": "serving", "ServiceAccount": "client"},
                },
            }
        },
    }


def reader(*actions: Any, **more: Any) -> dict[str, Any]:
    """A role of inline rights."""
    statement = {"Effect": "Allow", "Action": list(actions), "Resource": "*"}
    policy = {"PolicyName": "Read", "PolicyDocument": {"Statement": [statement]}}
    return {"Type": "AWS::IAM::Role", "Properties": {"Policies": [policy], **more}}


@pytest.mark.parametrize(
    ("rights", "said"),
    [
        (reader("secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret", "kms:Decrypt"), False),
        (reader("secretsmanager:GetSecretValue", "s3:GetObject"), True),
        (reader("secretsmanager:GetSecretValue", {"Ref": "A"}), True),
        (reader("secretsmanager:*"), True),
        (reader("kms:Decrypt"), True),
        (reader("secretsmanager:GetSecretValue", ManagedPolicyArns=["arn:aws:iam::aws:policy/Admin"]), True),
        ({"Type": "AWS::IAM::Role", "Properties": {"Policies": "odd"}}, True),
    ],
)
def test_a_reader_of_secrets_has_its_account_from_another_chart(rights: dict[str, Any], said: bool) -> None:
    templates = sound_templates()
    templates["hyperpod"]["Resources"] |= {
        "Reader": rights,
        "External": {
            "Type": "AWS::EKS::PodIdentityAssociation",
            "Properties": {
                "Namespace": "external-secrets",
                "ServiceAccount": "external-secrets",
                "RoleArn": {"Fn::GetAtt": ["Reader", "Arn"]},
            },
        },
    }
    found = disagreements(templates, sound_manifests(), hardware=HARDWARE, addon_accounts=ADDONS)
    assert {d.topic for d in found} == ({"service-account"} if said else set())


def role(name: str) -> dict[str, Any]:
    return {
        "replicas": 1,
        "resources": {"limits": {names.GPU_RESOURCE: "8", names.EFA_RESOURCE: "32"}},
        "nodeSelector": {names.INSTANCE_GROUP_LABEL: name, "dpd.hyperpod/role": name},
    }


def sound_manifests() -> list[dict[str, Any]]:
    return [
        {"kind": "ServiceAccount", "metadata": {"name": "client", "namespace": "serving"}},
        {
            "kind": "InferenceEndpointConfig",
            "metadata": {"name": "chat", "namespace": "serving"},
            "spec": {
                "instanceType": TYPE,
                "modelSourceConfig": {"s3Storage": {"bucketName": "models"}},
                "tlsConfig": {"tlsCertificateOutputS3Uri": "s3://hyperpod-tls-x/chat"},
                "pdSpec": {"prefillSpec": role("prefill"), "decodingSpec": role("decode")},
                "worker": {"resources": role("prefill")["resources"]},
            },
        },
    ]


def judge(templates: dict[str, Any], manifests: list[dict[str, Any]]) -> list[Disagreement]:
    return disagreements(templates, manifests, hardware=HARDWARE, addon_accounts=ADDONS)


def put(value: Any, path: str, new: Any) -> None:
    """Set or, with None, remove what ``path`` names; ``~`` stands for a slash inside a key."""
    *parents, last = (part.replace("~", "/") for part in path.split("/"))
    for key in parents:
        value = value[int(key)] if isinstance(value, list) else value.setdefault(key, {})
    if new is None:
        del value[last]
    else:
        value[last] = new


def test_sound_pair_agrees() -> None:
    assert judge(sound_templates(), sound_manifests()) == []


GROUPS = "hyperpod/Resources/Cluster/Properties/InstanceGroups"
SPEC = "1/spec"


@pytest.mark.parametrize(
    ("topic", "path", "new"),
    [
        ("group", f"{SPEC}/pdSpec/prefillSpec/nodeSelector", {names.INSTANCE_GROUP_LABEL: "prefil"}),
        ("group", f"{SPEC}/pdSpec/decodingSpec/nodeSelector", None),
        ("label", f"{SPEC}/pdSpec/prefillSpec/nodeSelector/dpd.hyperpod~role", "decode"),
        ("instance-type", f"{SPEC}/instanceType", "ml.p5en.48xlarge"),
        ("capacity", f"{SPEC}/pdSpec/prefillSpec/replicas", 2),
        (
            "capacity",
            f"{SPEC}/pdSpec/autoScalingSpec",
            {"prefillAutoScaling": {"minReplicaCount": 1, "maxReplicaCount": 3}},
        ),
        ("efa", f"{SPEC}/pdSpec/decodingSpec/resources/limits/{names.EFA_RESOURCE.replace('/', '~')}", "33"),
        ("bucket", f"{SPEC}/modelSourceConfig/s3Storage/bucketName", "model"),
        ("bucket", f"{SPEC}/tlsConfig/tlsCertificateOutputS3Uri", "s3://hyperpod-tls/chat"),
        ("service-account", "0/metadata/name", "cliemt"),
        ("service-account", "0/metadata/namespace", "default"),
    ],
)
def test_spoiled_manifest_is_named(topic: str, path: str, new: Any) -> None:
    manifests = sound_manifests()
    put(manifests, path, new)
    found = judge(sound_templates(), manifests)
    assert list(dict.fromkeys(each.topic for each in found)) == [topic]
    if topic != "service-account":
        assert found[0].subject == "InferenceEndpointConfig serving/chat"


@pytest.mark.parametrize(
    ("topic", "path", "new"),
    [
        ("group", f"{GROUPS}/0/InstanceGroupName", "prefill-a"),
        ("label", f"{GROUPS}/1/KubernetesConfig/Labels", {"dpd.hyperpod/role": "worker"}),
        ("subnet", f"{GROUPS}/1/OverrideVpcConfig/Subnets", [{"Fn::ImportValue": "net:other"}]),
        (
            "subnet",
            f"{GROUPS}/1/OverrideVpcConfig/Subnets",
            [{"Fn::ImportValue": "net:accelerator"}, {"Fn::ImportValue": "net:other"}],
        ),
        ("capacity", f"{GROUPS}/0/InstanceCount", 0),
        ("bucket", "storage/Resources/Models/Properties/BucketName", "models-2"),
        ("service-account", "hyperpod/Resources/Client/Properties/Namespace", "servings"),
        ("service-account", "hyperpod/Resources/Driver/Properties/Namespace", "kube-sytem"),
        ("service-account", "hyperpod/Resources/Driver/Properties/ServiceAccount", "s3-csi-sa"),
        ("operator-identity", "hyperpod/Resources/Operator", None),
    ],
)
def test_spoiled_template_is_named(topic: str, path: str, new: Any) -> None:
    templates = sound_templates()
    put(templates, path, new)
    assert [each.topic for each in judge(templates, sound_manifests())] == [topic]


def flexible(index: int, *types: str) -> dict[str, Any]:
    templates = sound_templates()
    put(templates, f"{GROUPS}/{index}/InstanceType", None)
    put(templates, f"{GROUPS}/{index}/InstanceRequirements", {"InstanceTypes": list(types)})
    return templates


def test_every_type_that_a_flexible_group_may_get_is_wanted_by_the_endpoint() -> None:
    templates, manifests = flexible(0, TYPE, "ml.p5e.48xlarge"), sound_manifests()
    (found,) = judge(templates, manifests)
    assert found.topic == "instance-type" and found.message.endswith("has ml.p5e.48xlarge")
    put(manifests, f"{SPEC}/instanceType", None)
    put(manifests, f"{SPEC}/instanceTypes", [TYPE, "ml.p5e.48xlarge"])
    assert judge(templates, manifests) == []


def test_nodes_of_a_type_that_only_a_deployment_knows_are_not_judged() -> None:
    templates = sound_templates()
    put(templates, f"{GROUPS}/0/InstanceType", {"Ref": "PrefillType"})
    assert judge(templates, sound_manifests()) == []


def test_reference_and_attribute_of_one_subnet_are_the_same() -> None:
    templates = sound_templates()
    put(templates, f"{GROUPS}/1/OverrideVpcConfig/Subnets", [{"Fn::ImportValue": "net:same"}])
    assert judge(templates, sound_manifests()) == []


def test_bucket_of_someone_else_counts_once_a_role_is_granted_it() -> None:
    manifests = sound_manifests()
    put(manifests, f"{SPEC}/modelSourceConfig/s3Storage/bucketName", "elsewhere")
    templates = sound_templates()
    assert [each.topic for each in judge(templates, manifests)] == ["bucket"]
    templates["hyperpod"]["Resources"]["Grant"] = {
        "Type": "AWS::IAM::Policy",
        "Properties": {"Resource": "arn:aws:s3:::elsewhere-not"},
    }
    assert [each.topic for each in judge(templates, manifests)] == ["bucket"]
    templates["hyperpod"]["Resources"]["Grant"]["Properties"]["Resource"] = "arn:aws:s3:::elsewhere/*"
    assert judge(templates, manifests) == []


def test_endpoints_that_share_a_group_are_counted_together() -> None:
    manifests = sound_manifests()
    second = deepcopy(manifests[1])
    second["metadata"]["name"] = "code"
    manifests.append(second)
    found = judge(sound_templates(), manifests)
    assert [each.topic for each in found] == ["capacity", "capacity"]
    assert "16 GPUs asked of group 'prefill'" in found[0].message


def test_half_node_pods_share_the_interfaces_of_a_node() -> None:
    manifests = sound_manifests()
    for key in ("prefillSpec", "decodingSpec"):
        manifests[1]["spec"]["pdSpec"][key]["replicas"] = 2
        manifests[1]["spec"]["pdSpec"][key]["resources"]["limits"] = {
            names.GPU_RESOURCE: "4",
            names.EFA_RESOURCE: "16",
        }
    assert judge(sound_templates(), manifests) == []
    manifests[1]["spec"]["pdSpec"]["prefillSpec"]["resources"]["limits"][names.EFA_RESOURCE] = "32"
    found = judge(sound_templates(), manifests)
    assert [(each.topic, each.path) for each in found] == [("efa", "spec.pdSpec.prefillSpec.resources")]


def test_colocated_endpoint_needs_nodes_of_its_type() -> None:
    manifests = sound_manifests()
    del manifests[1]["spec"]["pdSpec"]
    assert judge(sound_templates(), manifests) == []
    manifests[1]["spec"]["instanceType"] = "ml.p5en.48xlarge"
    assert [each.topic for each in judge(sound_templates(), manifests)] == ["instance-type"]
