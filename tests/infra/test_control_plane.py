"""The EKS cluster: who may reach it, who may use it, and that nothing of it is a Lambda function."""

from __future__ import annotations

from typing import Any

from tests.infra.conftest import Synthesised


def cluster(environment: Synthesised) -> dict[str, Any]:
    properties: dict[str, Any] = environment.one("AWS::EKS::Cluster")["Properties"]
    return properties


def test_identity_and_version_come_from_the_plan(own_cluster: Synthesised) -> None:
    plan = own_cluster.blueprint.cluster
    assert cluster(own_cluster)["Name"] == plan.eks_name
    assert cluster(own_cluster)["Version"] == plan.kubernetes_version


def test_api_authentication_without_a_hidden_administrator(own_cluster: Synthesised) -> None:
    assert cluster(own_cluster)["AccessConfig"] == {
        "AuthenticationMode": "API",
        "BootstrapClusterCreatorAdminPermissions": False,
    }


def test_eks_takes_its_role_for_this_cluster_only(own_cluster: Synthesised) -> None:
    plan = own_cluster.blueprint
    (statement,) = [
        statement
        for role in own_cluster.resources("AWS::IAM::Role", "control-plane").values()
        for statement in role["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        if statement["Principal"] == {"Service": "eks.amazonaws.com"}
    ]
    arn = f"arn:aws:eks:{plan.region}:{plan.account}:cluster/{plan.cluster.eks_name}"
    assert statement["Condition"] == {
        "StringEquals": {"aws:SourceAccount": plan.account},
        "ArnEquals": {"aws:SourceArn": arn},
    }


def test_addons_are_not_installed_twice(own_cluster: Synthesised) -> None:
    assert cluster(own_cluster)["BootstrapSelfManagedAddons"] is False


def test_all_control_plane_logs(own_cluster: Synthesised) -> None:
    types = cluster(own_cluster)["Logging"]["ClusterLogging"]["EnabledTypes"]
    assert {t["Type"] for t in types} == {"api", "audit", "authenticator", "controllerManager", "scheduler"}


def test_nodes_and_control_plane_share_the_security_group(own_cluster: Synthesised) -> None:
    nodes = own_cluster.one("AWS::SageMaker::Cluster")["Properties"]["VpcConfig"]["SecurityGroupIds"]
    groups = cluster(own_cluster)["ResourcesVpcConfig"]["SecurityGroupIds"]
    assert groups[:1] == nodes


def test_the_private_api_is_open_to_the_named_ranges_and_nothing_else(own_cluster: Synthesised) -> None:
    ranges = own_cluster.blueprint.cluster.private_access_cidrs
    made = own_cluster.resources("AWS::EC2::SecurityGroup", "control-plane")
    groups = cluster(own_cluster)["ResourcesVpcConfig"]["SecurityGroupIds"][1:]
    assert groups == [{"Fn::GetAtt": [name, "GroupId"]} for name in made]
    ingress = [rule for group in made.values() for rule in group["Properties"]["SecurityGroupIngress"]]
    assert [(r["IpProtocol"], r["FromPort"], r["ToPort"], r["CidrIp"]) for r in ingress] == [
        ("tcp", 443, 443, cidr) for cidr in ranges
    ]


def test_the_ranges_of_the_vpc_reach_the_api_unless_others_are_named(
    environments: dict[str, Synthesised],
) -> None:
    assert environments["dev"].blueprint.cluster.private_access_cidrs == ("10.192.0.0/16",)
    assert "10.8.0.0/16" in environments["prod"].blueprint.cluster.private_access_cidrs
    assert environments["existing-cluster"].blueprint.cluster.private_access_cidrs == ()


def test_the_public_endpoint_is_restricted_or_absent(own_cluster: Synthesised) -> None:
    plan = own_cluster.blueprint.cluster
    config = cluster(own_cluster)["ResourcesVpcConfig"]
    assert config["EndpointPrivateAccess"] is True
    assert config["EndpointPublicAccess"] is plan.endpoint_public_access
    assert config.get("PublicAccessCidrs", []) == list(plan.public_access_cidrs)


def test_secrets_have_a_key_of_ours_only_where_asked(own_cluster: Synthesised) -> None:
    encryption = cluster(own_cluster).get("EncryptionConfig")
    if own_cluster.blueprint.own_kms_keys:
        assert encryption is not None
        (config,) = encryption
        assert config["Resources"] == ["secrets"]
        assert "Keyssecrets" in config["Provider"]["KeyArn"]["Fn::ImportValue"]
    else:
        assert encryption is None


def test_oidc_provider_is_a_plain_resource(own_cluster: Synthesised) -> None:
    eks = next(iter(own_cluster.resources("AWS::EKS::Cluster")))
    provider = own_cluster.one("AWS::IAM::OIDCProvider")["Properties"]
    assert provider["Url"] == {"Fn::GetAtt": [eks, "OpenIdConnectIssuerUrl"]}
    assert provider["ClientIdList"] == ["sts.amazonaws.com"]


def test_every_administrator_has_an_entry(own_cluster: Synthesised) -> None:
    stack = own_cluster.resources("AWS::EKS::AccessEntry", "control-plane").values()
    entries = [entry["Properties"] for entry in stack]
    assert {e["PrincipalArn"] for e in entries} == set(own_cluster.blueprint.cluster.admin_role_arns)
    for entry in entries:
        (policy,) = entry["AccessPolicies"]
        assert policy["PolicyArn"].endswith(":cluster-access-policy/AmazonEKSClusterAdminPolicy")
        assert policy["AccessScope"] == {"Type": "cluster"}


def test_production_cannot_be_deleted_by_mistake(own_cluster: Synthesised) -> None:
    assert cluster(own_cluster).get("DeletionProtection", False) is own_cluster.blueprint.protected


def test_somebody_elses_cluster_is_joined_and_not_made(joined: Synthesised) -> None:
    existing = joined.blueprint.cluster.existing
    assert existing is not None
    for kind in ("AWS::EKS::Cluster", "AWS::IAM::OIDCProvider", "AWS::EC2::VPC", "AWS::EC2::Subnet"):
        assert not joined.resources(kind)
    assert "control-plane" not in joined.templates, "a stack cannot be empty"
    arn = joined.one("AWS::SageMaker::Cluster")["Properties"]["Orchestrator"]["Eks"]["ClusterArn"]
    assert arn == f"arn:aws:eks:us-east-2:111122223333:cluster/{existing.name}"
    installed = {addon["AddonName"] for addon in joined.properties("AWS::EKS::Addon")}
    assert not installed & set(existing.addons)
    assert "amazon-sagemaker-hyperpod-inference" in installed


def test_nodes_and_the_rest_of_somebody_elses_cluster_reach_each_other(joined: Synthesised) -> None:
    existing = joined.blueprint.cluster.existing
    assert existing is not None
    group = {"Fn::GetAtt": [next(iter(joined.resources("AWS::EC2::SecurityGroup"))), "GroupId"]}
    ingress = joined.properties("AWS::EC2::SecurityGroupIngress")
    pairs = [(rule["GroupId"], rule["SourceSecurityGroupId"]) for rule in ingress]
    assert (group, existing.security_group_id) in pairs
    assert (existing.security_group_id, group) in pairs
    out = joined.properties("AWS::EC2::SecurityGroupEgress")
    assert (group, existing.security_group_id) in [
        (rule["GroupId"], rule["DestinationSecurityGroupId"]) for rule in out
    ]
