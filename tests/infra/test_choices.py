"""Parts that only some environments have: images, Argo CD, windows of updates, flexible types, budgets, overrides."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.config.updates import Update
from tests.infra import blueprints
from tests.infra.conftest import Synthesised, synthesise
from tests.infra.test_roles import role_of, service_accounts


@pytest.fixture
def closed_network(environments: dict[str, Synthesised]) -> Synthesised:
    return environments["closed-network"]


def test_a_closed_network_has_every_endpoint_and_no_gateway(closed_network: Synthesised) -> None:
    plan = closed_network.blueprint.network
    endpoints = closed_network.properties("AWS::EC2::VPCEndpoint")
    services = {e["ServiceName"].removeprefix("com.amazonaws.us-east-1.") for e in endpoints}
    assert services == {"s3", *plan.interface_endpoints}
    assert {"ec2", "ecr.api", "ecr.dkr", "sts", "logs", "eks", "eks-auth", "sagemaker.api"} <= services
    for kind in ("AWS::EC2::NatGateway", "AWS::EC2::InternetGateway"):
        assert not closed_network.resources(kind)


def test_a_closed_network_pulls_from_its_own_registry_only(closed_network: Synthesised) -> None:
    plan = closed_network.blueprint
    registry = f"{plan.account}.dkr.ecr.{plan.region}.amazonaws.com/dpd-closed-network/"
    assert {e.image.startswith(registry) for e in plan.endpoints} == {True}
    repositories = {r["RepositoryName"]: r for r in closed_network.properties("AWS::ECR::Repository")}
    for endpoint in plan.endpoints:
        assert endpoint.image.split("/", 1)[1].split(":")[0] in repositories
    assert {name.removeprefix("dpd-closed-network/") for name in repositories} >= {
        "deep-learning-containers/vllm",
        "lmcache/vllm-openai",
    }
    for repository in repositories.values():
        assert repository["ImageScanningConfiguration"] == {"ScanOnPush": True}
        assert repository["ImageTagMutability"] == "IMMUTABLE"
        rules = json.loads(repository["LifecyclePolicy"]["LifecyclePolicyText"])["rules"]
        assert [rule["action"]["type"] for rule in rules] == ["expire", "expire"]


def test_a_pull_through_cache_is_filled_by_the_nodes(joined: Synthesised) -> None:
    (rule,) = joined.properties("AWS::ECR::PullThroughCacheRule")
    assert rule["UpstreamRegistryUrl"] == "public.ecr.aws"
    prefix = rule["EcrRepositoryPrefix"]
    (endpoint,) = joined.blueprint.endpoints
    assert endpoint.image.split("/")[1] == prefix
    fills = [
        statement
        for role in joined.resources("AWS::IAM::Role", "hyperpod").values()
        for policy in role["Properties"]["Policies"]
        for statement in policy["PolicyDocument"]["Statement"]
        if "ecr:CreateRepository" in statement["Action"]
    ]
    assert [s["Resource"] for s in fills] == [[f"arn:aws:ecr:us-east-2:111122223333:repository/{prefix}/*"]]


def test_argo_cd_stands_before_the_nodes_with_rights_in_the_cluster(closed_network: Synthesised) -> None:
    assert closed_network.order.index("delivery") < closed_network.order.index("hyperpod")
    capability = closed_network.one("AWS::EKS::Capability")
    plan = closed_network.blueprint.argo_capability
    assert plan is not None
    assert capability["Properties"]["Type"] == "ARGOCD"
    argo = capability["Properties"]["Configuration"]["ArgoCd"]
    assert argo["AwsIdc"]["IdcInstanceArn"] == plan.instance_arn
    assert [m["Role"] for m in argo["RbacRoleMappings"]] == ["ADMIN"]
    (entry_id,) = closed_network.resources("AWS::EKS::AccessEntry", "delivery")
    assert entry_id in capability["DependsOn"]
    (entry,) = [
        e["Properties"] for e in closed_network.resources("AWS::EKS::AccessEntry", "delivery").values()
    ]
    assert entry["PrincipalArn"] == capability["Properties"]["RoleArn"]
    (policy,) = entry["AccessPolicies"]
    assert policy["PolicyArn"].endswith("AmazonEKSClusterAdminPolicy")


def test_nodes_are_updated_in_windows_with_alarms(closed_network: Synthesised) -> None:
    groups = closed_network.one("AWS::SageMaker::Cluster")["Properties"]["InstanceGroups"]
    updates = {g["InstanceGroupName"]: g.get("ScheduledUpdateConfig") for g in groups}
    assert updates["system"] is None
    assert updates["prefill"]["ScheduleExpression"] != updates["decode"]["ScheduleExpression"]
    for name in ("prefill", "decode"):
        deployment = updates[name]["DeploymentConfig"]
        assert deployment["AutoRollbackConfiguration"] == [{"AlarmName": "dpd-closed-network-unhealthy"}]
        assert deployment["WaitIntervalInSeconds"] == 600
        assert deployment["RollingUpdatePolicy"]["MaximumBatchSize"]["Type"] == "CAPACITY_PERCENTAGE"


def test_karpenter_and_tiered_storage_are_switched_on_where_asked(
    closed_network: Synthesised, plain: Synthesised
) -> None:
    properties = closed_network.one("AWS::SageMaker::Cluster")["Properties"]
    assert properties["AutoScaling"] == {"Mode": "Enable", "AutoScalerType": "Karpenter"}
    assert "ClusterRole" in json.dumps(properties["ClusterRole"])
    assert properties["TieredStorageConfig"] == {"Mode": "Enable", "InstanceMemoryAllocationPercentage": 20}
    for absent in ("AutoScaling", "ClusterRole", "TieredStorageConfig"):
        assert absent not in plain.one("AWS::SageMaker::Cluster")["Properties"]


def test_the_budget_counts_this_environment(closed_network: Synthesised, plain: Synthesised) -> None:
    budget = closed_network.one("AWS::Budgets::Budget")["Properties"]
    assert budget["Budget"]["CostFilters"] == {"TagKeyValue": ["user:dpd:environment$closed-network"]}
    thresholds = [n["Notification"]["Threshold"] for n in budget["NotificationsWithSubscribers"]]
    assert thresholds == [80, 100]
    assert dict(closed_network.blueprint.tags)[names.ENVIRONMENT_TAG] == "closed-network"
    assert not plain.resources("AWS::Budgets::Budget")


def test_flexible_groups_overrides_and_governance(tmp_path: Path) -> None:
    base = blueprints.blueprint("flexible")
    flexible = blueprints.group(
        "prefill",
        "prefill",
        "ml.p5.48xlarge",
        1,
        alternatives=("ml.p5e.48xlarge",),
        network_interface="efa-only",
        linter_refuses=True,
        update=Update(
            window="cron(0 2 ? * SUN *)",
            batch_percent=50,
            wait_seconds=0,
            alarms=["a"],
            batch_nodes=2,
            rollback_batch_percent=100,
        ),
    )
    patched = replace(base.cluster.groups[0], auto_patch="WhenAllIdle")
    cluster = replace(base.cluster, groups=(patched, flexible, base.cluster.groups[2]))
    addons = tuple(
        replace(a, values={"keda": {"enabled": False}, "unheardOf": {"key": 1}})
        if a.name == names.OPERATOR_ADDON
        else replace(a, values={"replicaCount": 2})
        if a.name == "cert-manager"
        else a
        for a in base.addons
    )
    made = synthesise([replace(base, cluster=cluster, addons=addons)], tmp_path / "out")["flexible"]
    system, group, decode = made.one("AWS::SageMaker::Cluster")["Properties"]["InstanceGroups"]
    assert system["AutoPatchConfig"] == {"PatchingStrategy": "WhenAllIdle"}
    assert not {"AutoPatchConfig", "ScheduledUpdateConfig"} & decode.keys()
    assert group["ScheduledUpdateConfig"]["DeploymentConfig"]["RollingUpdatePolicy"] == {
        "MaximumBatchSize": {"Type": "INSTANCE_COUNT", "Value": 2},
        "RollbackMaximumBatchSize": {"Type": "CAPACITY_PERCENTAGE", "Value": 100},
    }
    assert "InstanceType" not in group
    assert group["InstanceRequirements"] == {"InstanceTypes": ["ml.p5.48xlarge", "ml.p5e.48xlarge"]}
    assert group["NetworkInterface"] == {"InterfaceType": "efa-only"}
    assert made.addon_values("cert-manager") == {"replicaCount": 2}
    values = made.addon_values(names.OPERATOR_ADDON)
    assert values["keda"]["enabled"] is False
    assert values["keda"]["auth"]["aws"]["irsa"]["enabled"] is True, "an override leaves its neighbours alone"
    assert values["unheardOf"] == {"key": 1}


def test_the_gateway_has_a_role_and_the_add_on_knows_it(tmp_path: Path) -> None:
    base = blueprints.blueprint("gateway")
    made = synthesise(
        [replace(base, operator=replace(base.operator, gateway=True, addon_version="v2.1.0-eksbuild.1"))],
        tmp_path / "out",
    )["gateway"]
    role = role_of(made, "OperatorGateway")
    assert service_accounts(role) == {"hyperpod-inference-system:inference-gateway-controller"}
    (policy,) = role["Properties"]["ManagedPolicyArns"]
    assert policy.endswith(":policy/AmazonSageMakerHyperPodInferenceGatewayAccess")
    gateway = made.addon_values(names.OPERATOR_ADDON)["inferenceGateway"]
    assert gateway == {"enabled": True, "serviceAccount": {"roleArn": "LATE"}}


def test_without_a_gateway_there_is_no_role_of_one(plain: Synthesised) -> None:
    assert not [key for key in plain.resources("AWS::IAM::Role") if "Gateway" in key]


def test_observability_takes_the_documents_levels_and_keys(
    environments: dict[str, Synthesised], tmp_path: Path
) -> None:
    dev = environments["dev"].blueprint
    assert dev.observability is not None
    watching = replace(
        dev.observability,
        metric_levels={**dev.observability.metric_levels, "accelerated_compute": "BASIC"},
        addon_values={"metricsProvider": {"nodeMetrics": {"level": "ADVANCED"}}, "unheardOf": 1},
    )
    made = synthesise([replace(dev, observability=watching)], tmp_path / "out")["dev"]
    values = made.addon_values(names.OBSERVABILITY_ADDON)
    assert values["metricsProvider"]["acceleratedComputeMetrics"]["level"] == "BASIC"
    assert values["metricsProvider"]["nodeMetrics"] == {"level": "ADVANCED", "scrapeInterval": 30}
    assert values["metricsProvider"]["networkMetrics"]["level"] == "ADVANCED"
    assert values["unheardOf"] == 1
