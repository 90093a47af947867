"""The whole of every environment goes through the real tool, and a second deployment finds nothing to do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.deploy.conftest import BLUEPRINTS, Deployed, Place, by_account, deploy

pytestmark = pytest.mark.slow

CREATED = {
    # through moto's own backends, where boto3 finds them again
    "AWS::APS::RuleGroupsNamespace",
    "AWS::APS::Workspace",
    "AWS::EC2::EIP",
    "AWS::EC2::FlowLog",
    "AWS::EC2::InternetGateway",
    "AWS::EC2::NatGateway",
    "AWS::EC2::Route",
    "AWS::EC2::RouteTable",
    "AWS::EC2::SecurityGroup",
    "AWS::EC2::SecurityGroupEgress",
    "AWS::EC2::SecurityGroupIngress",
    "AWS::EC2::Subnet",
    "AWS::EC2::SubnetRouteTableAssociation",
    "AWS::EC2::VPC",
    "AWS::EC2::VPCCidrBlock",
    "AWS::EC2::VPCEndpoint",
    "AWS::EC2::VPCGatewayAttachment",
    "AWS::ECR::Repository",
    "AWS::EKS::Cluster",
    "AWS::FSx::FileSystem",
    "AWS::IAM::OIDCProvider",
    "AWS::IAM::Policy",
    "AWS::IAM::Role",
    "AWS::KMS::Alias",
    "AWS::KMS::Key",
    "AWS::Lambda::Function",
    "AWS::Lambda::LayerVersion",
    "AWS::Logs::LogGroup",
    "AWS::Logs::MetricFilter",
    "AWS::S3::Bucket",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::Topic",
    "AWS::SecretsManager::Secret",
    "AWS::CloudWatch::Dashboard",
    "AWS::SageMaker::Cluster",
    "Custom::CDKBucketDeployment",
}
RECORDED = {
    # no backend: properties held against the API's shape where there is one, and written down
    "AWS::Budgets::Budget",
    "AWS::CloudWatch::Alarm",
    "AWS::CloudWatch::CompositeAlarm",
    "AWS::ECR::PullThroughCacheRule",
    "AWS::EKS::AccessEntry",
    "AWS::EKS::Addon",
    "AWS::EKS::Capability",
    "AWS::EKS::PodIdentityAssociation",
    "AWS::FSx::DataRepositoryAssociation",
    "AWS::Grafana::Workspace",
    "AWS::Lambda::Permission",
    "AWS::Logs::Transformer",
    "AWS::SecretsManager::RotationSchedule",
    "AWS::SNS::TopicPolicy",
}


def resources(place: Place) -> dict[tuple[str, str], str]:
    """Type of every resource by stack and logical id."""
    return {
        (stack, logical): resource["Type"]
        for stack, template in place.templates.items()
        for logical, resource in template["Resources"].items()
    }


def test_every_resource_exists_and_none_was_skipped(place: Place) -> None:
    """moto reports success for types that it does not know; each must be one that we know it makes or records."""
    wanted = resources(place)
    unknown = set(wanted.values()) - CREATED - RECORDED
    assert not unknown, f"say in this test whether these are created or recorded: {sorted(unknown)}"
    client = place.client("cloudformation")
    found = {
        (stack, each["LogicalResourceId"]): each["ResourceType"]
        for stack in place.templates
        for each in client.describe_stack_resources(StackName=stack)["StackResources"]
    }
    assert found == wanted


def test_stacks_are_complete_and_protected_in_production(place: Place) -> None:
    client = place.client("cloudformation")
    for name in place.templates:
        (stack,) = client.describe_stacks(StackName=name)["Stacks"]
        assert stack["StackStatus"] == "CREATE_COMPLETE"
        assert stack.get("EnableTerminationProtection", False) is place.blueprint.protected


def test_outputs_are_the_late_bound_facts_only(place: Place) -> None:
    from hyperpod_dpd.blueprint import names

    allowed = {value for key, value in vars(names).items() if key.startswith("OUTPUT_")}
    client = place.client("cloudformation")
    for name in place.templates:
        (stack,) = client.describe_stacks(StackName=name)["Stacks"]
        ours = {o["OutputKey"] for o in stack.get("Outputs", []) if not o.get("ExportName")}
        assert ours <= allowed, f"{name} tells more than `dpd outputs pull` reads"


def test_nothing_went_wrong_on_the_way(deployed: Deployed) -> None:
    log = deployed.cloud.log.read_text(encoding="utf-8")
    assert "Traceback" not in log, log[log.index("Traceback") :][:4000]
    for said in deployed.said.values():
        assert "failed" not in said.lower()


def test_a_second_deployment_changes_nothing(deployed: Deployed) -> None:
    before = deployed.cloud.record.read_text(encoding="utf-8")
    said = deploy(deployed.cloud, deployed.assembly)
    for account, blueprints in by_account().items():
        stacks = [name for b in blueprints for name in deployed.templates(b.name)]
        assert said[account].count("(no changes)") == len(stacks)
    assert deployed.cloud.record.read_text(encoding="utf-8") == before


def test_every_environment_takes_part() -> None:
    assert {"dev", "staging", "prod", "closed-network", "existing-cluster"} <= set(BLUEPRINTS)


def test_the_models_refuse_what_the_api_refuses() -> None:
    """Otherwise a green deployment would say little: the shapes are the API's, not ours."""
    from tests.deploy.moto_models.model import NotAsTheApiWantsIt, hold_against_api

    good: dict[str, Any] = {
        "InstanceGroupName": "a",
        "InstanceType": "ml.p6-b200.48xlarge",
        "InstanceCount": 1,
        "ExecutionRole": "arn:aws:iam::111122223333:role/nodes",
    }
    hold_against_api("sagemaker", "CreateCluster", {"ClusterName": "a", "InstanceGroups": [good]})
    for change in ({"InstanceType": "ml.p9.huge"}, {"Nonsense": 1}, {"InstanceCount": "1"}):
        with pytest.raises(NotAsTheApiWantsIt):
            hold_against_api(
                "sagemaker", "CreateCluster", {"ClusterName": "a", "InstanceGroups": [{**good, **change}]}
            )
