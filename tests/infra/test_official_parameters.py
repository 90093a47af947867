"""Every parameter of the official templates that the document can say arrives in the templates, as it was given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from tests.infra.conftest import Synthesised, synthesise
from tests.support import official


@pytest.fixture(scope="session")
def official_environments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Synthesised]:
    """With CDK's built-in validation on: an error of it ends the synthesis."""
    folder = tmp_path_factory.mktemp("official")
    made = [resolve(load_environment(official.write(name, folder))) for name in official.FILES]
    return synthesise(made, folder / "out", builtin_cloud_formation_validation=True)


@pytest.fixture
def defaults(official_environments: dict[str, Synthesised]) -> Synthesised:
    return official_environments["defaults"]


@pytest.fixture
def made(official_environments: dict[str, Synthesised]) -> Synthesised:
    return official_environments["made"]


@pytest.fixture
def joined(official_environments: dict[str, Synthesised]) -> Synthesised:
    return official_environments["joined"]


def cluster(environment: Synthesised) -> dict[str, Any]:
    properties: dict[str, Any] = environment.one("AWS::SageMaker::Cluster")["Properties"]
    return properties


def groups(environment: Synthesised) -> dict[str, dict[str, Any]]:
    return {group["InstanceGroupName"]: group for group in cluster(environment)["InstanceGroups"]}


def roles(environment: Synthesised) -> set[str]:
    """Construct ids of the roles that are made, without their stack."""
    return set(environment.resources("AWS::IAM::Role"))


def test_the_defaults_are_what_the_templates_would_make(defaults: Synthesised) -> None:
    assert defaults.one("AWS::EC2::VPC")["Properties"]["CidrBlock"] == "10.192.0.0/16"
    assert defaults.one("AWS::EKS::Cluster")["Properties"]["Version"] == "1.32"
    assert cluster(defaults)["NodeRecovery"] == "Automatic"
    assert "AutoScaling" not in cluster(defaults) and "TieredStorageConfig" not in cluster(defaults)
    system = defaults.one("AWS::FSx::FileSystem")["Properties"]
    assert system["StorageCapacity"] == 1200 and system["FileSystemTypeVersion"] == "2.15"
    assert system["LustreConfiguration"]["PerUnitStorageThroughput"] == 250
    assert system["LustreConfiguration"]["DeploymentType"] == "PERSISTENT_2"
    assert "DataCompressionType" not in system["LustreConfiguration"]
    assert not defaults.resources("AWS::APS::Workspace")  # observability is off there
    assert not defaults.resources("AWS::SageMaker::ClusterSchedulerConfig")


def test_network_of_one_s_own(made: Synthesised) -> None:
    assert made.one("AWS::EC2::VPC")["Properties"]["CidrBlock"] == "10.40.0.0/16"
    subnets = made.properties("AWS::EC2::Subnet")
    zones = {s["AvailabilityZoneId"] for s in subnets}
    assert zones == {"use1-az1", "use1-az3"}
    assert made.one("AWS::EKS::Cluster")["Properties"]["Version"] == "1.34"


def test_cluster_wide_settings(made: Synthesised) -> None:
    properties = cluster(made)
    assert properties["NodeRecovery"] == "None"
    assert properties["NodeProvisioningMode"] == "Continuous"
    assert properties["AutoScaling"] == {"Mode": "Enable", "AutoScalerType": "Karpenter"}
    assert properties["ClusterRole"] == "arn:aws:iam::111122223333:role/karpenter"
    assert properties["TieredStorageConfig"] == {"Mode": "Enable", "InstanceMemoryAllocationPercentage": 30}
    tags = {tag["Key"]: tag["Value"] for tag in made.one("AWS::EC2::VPC")["Properties"]["Tags"]}
    assert tags["cost-centre"] == "serving"


def test_instance_groups(made: Synthesised) -> None:
    found = groups(made)
    system, prefill, decode = found["system"], found["prefill"], found["decode"]
    assert system["LifeCycleConfig"] == {
        "SourceS3Uri": "s3://sagemaker-scripts/system",
        "OnCreate": "setup.sh",
    }
    assert "LifeCycleConfig" not in prefill
    assert prefill["InstanceRequirements"] == {"InstanceTypes": ["ml.p5en.48xlarge", "ml.p5.48xlarge"]}
    assert (prefill["InstanceCount"], prefill["MinInstanceCount"], prefill["ThreadsPerCore"]) == (2, 1, 1)
    assert prefill["InstanceStorageConfigs"] == [{"EbsVolumeConfig": {"VolumeSizeInGB": 800}}]
    assert prefill["CapacityRequirements"] == {"Spot": {}}
    assert prefill["ImageId"] == "ami-0123456789abcdef0"
    assert prefill["NetworkInterface"] == {"InterfaceType": "efa-only"}
    assert prefill["KubernetesConfig"]["Labels"]["team"] == "llm"
    assert prefill["KubernetesConfig"]["Taints"] == [{"Key": "spare", "Value": "yes", "Effect": "NoSchedule"}]
    assert decode["InstanceType"] == "ml.p5.48xlarge" and decode["InstanceCount"] == 1
    assert decode["TrainingPlanArn"] == "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p"
    assert decode["OnStartDeepHealthChecks"] == ["InstanceStress", "InstanceConnectivity"]
    assert prefill["OverrideVpcConfig"] == decode["OverrideVpcConfig"] == system["OverrideVpcConfig"]


def test_nodes_may_read_the_scripts_of_their_group(made: Synthesised) -> None:
    [role] = [
        r for r in made.resources("AWS::IAM::Role", "hyperpod").values() if "RoleName" in r["Properties"]
    ]
    [policy] = [p for p in role["Properties"]["Policies"] if p["PolicyName"] == "LifecycleScripts"]
    readable = {
        s["Resource"] for s in policy["PolicyDocument"]["Statement"] if s["Action"] == ["s3:GetObject"]
    }
    assert "arn:aws:s3:::sagemaker-scripts/*" in readable and len(readable) == 2


def test_data_scientists_get_an_access_entry_and_no_policy(made: Synthesised) -> None:
    entries = {e["PrincipalArn"]: e for e in made.properties("AWS::EKS::AccessEntry")}
    for name in ("scientist", "second"):
        entry = entries[f"arn:aws:iam::111122223333:role/{name}"]
        assert entry["KubernetesGroups"] == ["dpd-deployers"] and "AccessPolicies" not in entry


def test_file_system(made: Synthesised) -> None:
    system = made.one("AWS::FSx::FileSystem")["Properties"]
    assert system["StorageCapacity"] == 2400
    assert system["LustreConfiguration"]["PerUnitStorageThroughput"] == 500
    assert system["LustreConfiguration"]["DataCompressionType"] == "LZ4"
    [subnet] = system["SubnetIds"]
    assert "accelerator" in json.dumps(subnet) and "use1az3" in json.dumps(subnet).replace("-", "")


def test_task_governance(made: Synthesised) -> None:
    policy = made.one("AWS::SageMaker::ClusterSchedulerConfig")
    assert policy["Properties"]["SchedulerConfig"] == {
        "FairShare": "Enabled",
        "PriorityClasses": [{"Name": "inference", "Weight": 100}, {"Name": "training", "Weight": 80}],
    }
    addons = made.resources("AWS::EKS::Addon", "addons")
    [governance] = [k for k, a in addons.items() if a["Properties"]["AddonName"].endswith("taskgovernance")]
    assert governance in policy["DependsOn"]


def test_metric_levels_and_logging(made: Synthesised) -> None:
    values = made.addon_values("amazon-sagemaker-hyperpod-observability")
    levels = {key: each["level"] for key, each in values["metricsProvider"].items()}
    assert levels == {
        "trainingMetrics": "BASIC",
        "taskGovernanceMetrics": "ADVANCED",
        "scalingMetrics": "ADVANCED",
        "networkMetrics": "ADVANCED",
        "customMetrics": "ADVANCED",
        "nodeMetrics": "ADVANCED",
        "acceleratedComputeMetrics": "BASIC",
        "inferenceMetrics": "BASIC",
    }
    assert values["logging"] == {"enabled": False}


def test_given_roles_of_the_watch_take_the_place_of_ours(made: Synthesised) -> None:
    [addon] = [a for a in made.properties("AWS::EKS::Addon") if a["AddonName"].endswith("observability")]
    [association] = addon["PodIdentityAssociations"]
    assert association["RoleArn"] == "arn:aws:iam::111122223333:role/service-role/watch"
    assert made.one("AWS::Grafana::Workspace")["Properties"]["RoleArn"].endswith("service-role/boards")
    trusts = json.dumps(
        [
            r["Properties"]["AssumeRolePolicyDocument"]
            for r in made.resources("AWS::IAM::Role", "observability").values()
        ]
    )
    assert "grafana.amazonaws.com" not in trusts and "pods.eks.amazonaws.com" not in trusts


def test_given_buckets_are_used_and_not_made(made: Synthesised) -> None:
    buckets = {b["BucketName"]: b for b in made.properties("AWS::S3::Bucket")}
    assert not {"hyperpod-tls-ours", "our-logs"} & set(buckets)
    assert len(buckets) == 2
    for bucket in buckets.values():
        assert bucket["LoggingConfiguration"]["DestinationBucketName"] == "our-logs"
    operator = made.addon_values("amazon-sagemaker-hyperpod-inference")
    assert operator["tlsCertificateS3Bucket"] == "hyperpod-tls-ours"
    [addon] = [a for a in made.properties("AWS::EKS::Addon") if a["AddonName"].endswith("-inference")]
    assert addon["AddonVersion"] == "v1.5.0-eksbuild.1"


def test_the_chart_of_the_nodes_is_the_given_one(made: Synthesised) -> None:
    plan = made.blueprint.apps.dependencies
    assert plan is not None
    assert (plan.repository, plan.path) == ("https://git.example.com/charts.git", "charts/hyperpod")
    assert (plan.release, plan.namespace) == ("deps", "hyperpod")
    assert plan.values["hyperpod-patching"] == {"enabled": False}
    assert plan.values["gpu-operator"] == {"enabled": True}
    assert plan.values["mlflow"] == {"enabled": False}  # on by the template's default only


def test_network_of_somebody_else(joined: Synthesised) -> None:
    for kind in ("AWS::EC2::VPC", "AWS::EC2::Subnet", "AWS::EC2::SecurityGroup", "AWS::EC2::NatGateway"):
        assert not joined.resources(kind)
    for kind in ("AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress"):
        assert not joined.resources(kind)  # whose group it is, whose rules
    vpc = cluster(joined)["VpcConfig"]
    assert vpc == {"Subnets": ["subnet-0aaaaaaaaaaaaaaa6"], "SecurityGroupIds": ["sg-0123456789abcdef0"]}
    [endpoint] = joined.properties("AWS::EC2::VPCEndpoint")
    assert endpoint["RouteTableIds"] == ["rtb-0123456789abcdef0", "rtb-0123456789abcdef1"]
    assert endpoint["VpcId"] == "vpc-0123456789abcdef0"


def test_eks_cluster_of_somebody_else(joined: Synthesised) -> None:
    assert not joined.resources("AWS::EKS::Cluster")
    arn = cluster(joined)["Orchestrator"]["Eks"]["ClusterArn"]
    assert arn == "arn:aws:eks:us-east-1:222233334444:cluster/platform"
    provider = joined.one("AWS::IAM::OIDCProvider")["Properties"]
    assert provider["Url"].endswith("/id/0123456789ABCDEF0123456789ABCDEF")
    made = {a["AddonName"] for a in joined.properties("AWS::EKS::Addon")}
    assert not made & {"cert-manager", "metrics-server", "aws-fsx-csi-driver", "aws-mountpoint-s3-csi-driver"}
    assert joined.blueprint.apps.dependencies is None


def test_scripts_and_node_role_of_somebody_else(joined: Synthesised) -> None:
    for group in groups(joined).values():
        assert group["ExecutionRole"] == "arn:aws:iam::222233334444:role/hyperpod-nodes"
        assert group["LifeCycleConfig"] == {
            "SourceS3Uri": "s3://sagemaker-scripts-222233334444/base",
            "OnCreate": "on_create.sh",
        }
    assert not joined.resources("AWS::IAM::Role", "hyperpod")
    names = {b["BucketName"] for b in joined.properties("AWS::S3::Bucket")}
    assert "sagemaker-scripts-222233334444" not in names and len(names) == 3


def test_roles_of_the_operator_are_the_given_ones(joined: Synthesised) -> None:
    values = joined.addon_values("amazon-sagemaker-hyperpod-inference")
    role = "arn:aws:iam::222233334444:role"
    assert values["executionRoleArn"] == f"{role}/SageMakerHyperPodInference-ours"
    assert values["alb"]["serviceAccount"]["roleArn"] == f"{role}/alb"
    assert values["keda"]["auth"]["aws"]["irsa"]["roleArn"] == f"{role}/keda"
    assert values["jumpstartGatedModelDownloadRoleArn"] == f"{role}/gated"
    [association] = [
        a
        for a in joined.properties("AWS::EKS::PodIdentityAssociation")
        if a["ServiceAccount"] == "fsx-csi-controller-sa"
    ]
    assert association["RoleArn"] == f"{role}/fsx"
    assert not joined.resources("AWS::IAM::Role", "addons")


def test_the_role_of_an_s3_driver_that_we_install(made: Synthesised) -> None:
    [driver] = [
        a for a in made.properties("AWS::EKS::Addon") if a["AddonName"] == "aws-mountpoint-s3-csi-driver"
    ]
    assert driver["ServiceAccountRoleArn"] == "arn:aws:iam::111122223333:role/s3"


def test_workspaces_of_somebody_else(joined: Synthesised) -> None:
    assert not joined.resources("AWS::APS::Workspace") and not joined.resources("AWS::Grafana::Workspace")
    values = joined.addon_values("amazon-sagemaker-hyperpod-observability")
    id = "ws-01234567-89ab-cdef-0123-456789abcdef"
    assert values["ampWorkspace"] == {
        "prometheusEndpoint": f"https://aps-workspaces.us-east-1.amazonaws.com/workspaces/{id}",
        "arn": f"arn:aws:aps:us-east-1:222233334444:workspace/{id}",
    }
    assert values["amgWorkspace"]["workspaceName"] == "boards"
    assert values["amgWorkspace"]["arn"].endswith("/workspaces/g-0123456789")
    [function] = joined.properties("AWS::Lambda::Function")
    assert function["Environment"]["Variables"]["WORKSPACE_ID"] == "g-0123456789"


def test_a_subnet_is_made_in_somebody_elses_vpc(tmp_path: Path) -> None:
    from hyperpod_dpd.document import dump_yaml
    from tests.support.documents import environment

    value = environment("existing-cluster")
    existing = value["network"]["existing"]
    existing["accelerator_subnets"] = {}
    existing["nat_gateway_ids"] = {"use2-az1": "nat-0123456789abcdef0"}
    value["network"]["secondary_cidrs"] = ["10.81.0.0/16"]
    value["network"]["accelerator_zones"] = [{"id": "use2-az3", "cidr": "10.81.0.0/20"}]
    file = tmp_path / "subnet.yaml"
    file.write_text(dump_yaml(value), encoding="utf-8")
    found = synthesise([resolve(load_environment(file))], tmp_path / "out")["subnet"]
    subnet = found.one("AWS::EC2::Subnet")
    assert subnet["Properties"]["CidrBlock"] == "10.81.0.0/20"
    assert subnet["Properties"]["VpcId"] == existing["vpc_id"]
    (range_id,) = found.resources("AWS::EC2::VPCCidrBlock")
    assert range_id in subnet["DependsOn"]
    assert found.one("AWS::EC2::Route")["Properties"]["NatGatewayId"] == "nat-0123456789abcdef0"
    tables = found.one("AWS::EC2::VPCEndpoint")["Properties"]["RouteTableIds"]
    assert tables[0] == existing["private_route_table_ids"][0] and len(tables) == 2
    [used] = {json.dumps(g["OverrideVpcConfig"]["Subnets"]) for g in groups(found).values()}
    assert "accelerator" in used
