"""The EKS cluster: who may reach it, who may use it, and that nothing of it is a Lambda function."""

from __future__ import annotations

from typing import Any

from tests.infra.conftest import Synthesised


def cluster(environment: Synthesised) -> dict[str, Any]:
    properties: dict[str, Any] = environment.one("AWS::EKS::Cluster")["Properties"]
    return properties


def test_identity_and_version_come_from_the_plan(environment: Synthesised) -> None:
    plan = environment.blueprint.cluster
    assert cluster(environment)["Name"] == plan.eks_name
    assert cluster(environment)["Version"] == plan.kubernetes_version


def test_api_authentication_without_a_hidden_administrator(environment: Synthesised) -> None:
    assert cluster(environment)["AccessConfig"] == {
        "AuthenticationMode": "API",
        "BootstrapClusterCreatorAdminPermissions": False,
    }


def test_addons_are_not_installed_twice(environment: Synthesised) -> None:
    assert cluster(environment)["BootstrapSelfManagedAddons"] is False


def test_all_control_plane_logs(environment: Synthesised) -> None:
    types = cluster(environment)["Logging"]["ClusterLogging"]["EnabledTypes"]
    assert {t["Type"] for t in types} == {"api", "audit", "authenticator", "controllerManager", "scheduler"}


def test_nodes_and_control_plane_share_the_security_group(environment: Synthesised) -> None:
    nodes = environment.one("AWS::SageMaker::Cluster")["Properties"]["VpcConfig"]["SecurityGroupIds"]
    assert cluster(environment)["ResourcesVpcConfig"]["SecurityGroupIds"] == nodes


def test_the_public_endpoint_is_restricted_or_absent(environment: Synthesised) -> None:
    plan = environment.blueprint.cluster
    config = cluster(environment)["ResourcesVpcConfig"]
    assert config["EndpointPrivateAccess"] is True
    assert config["EndpointPublicAccess"] is plan.endpoint_public_access
    assert config.get("PublicAccessCidrs", []) == list(plan.public_access_cidrs)


def test_secrets_have_a_key_of_ours_only_where_asked(environment: Synthesised) -> None:
    encryption = cluster(environment).get("EncryptionConfig")
    if environment.blueprint.own_kms_keys:
        assert encryption is not None
        (config,) = encryption
        assert config["Resources"] == ["secrets"]
        assert "Keyssecrets" in config["Provider"]["KeyArn"]["Fn::ImportValue"]
    else:
        assert encryption is None


def test_oidc_provider_is_a_plain_resource(environment: Synthesised) -> None:
    eks = next(iter(environment.resources("AWS::EKS::Cluster")))
    provider = environment.one("AWS::IAM::OIDCProvider")["Properties"]
    assert provider["Url"] == {"Fn::GetAtt": [eks, "OpenIdConnectIssuerUrl"]}
    assert provider["ClientIdList"] == ["sts.amazonaws.com"]


def test_every_administrator_has_an_entry(environment: Synthesised) -> None:
    entries = environment.properties("AWS::EKS::AccessEntry")
    assert {e["PrincipalArn"] for e in entries} == set(environment.blueprint.cluster.admin_role_arns)
    for entry in entries:
        (policy,) = entry["AccessPolicies"]
        assert policy["PolicyArn"].endswith(":cluster-access-policy/AmazonEKSClusterAdminPolicy")
        assert policy["AccessScope"] == {"Type": "cluster"}


def test_production_cannot_be_deleted_by_mistake(environment: Synthesised) -> None:
    assert cluster(environment).get("DeletionProtection", False) is environment.blueprint.production
