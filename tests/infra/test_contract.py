"""What must not change by accident: logical ids of what holds state, stack names, outputs."""

from __future__ import annotations

import json

import pytest

from hyperpod_dpd.blueprint import names
from tests.infra.conftest import Synthesised

STATEFUL = {
    ("network", "AWS::EC2::VPC"): {"OwnVpc5076E31B"},
    ("network", "AWS::EC2::Subnet"): {
        "OwnPublicpublicusw2az1B7BC9096",
        "OwnPublicpublicusw2az2A4ECADC9",
        "OwnPrivatecontrolplaneusw2az16567FCFF",
        "OwnPrivatecontrolplaneusw2az206E00B73",
        "OwnPrivateacceleratorusw2az25F54DCBA",
    },
    ("network", "AWS::EC2::SecurityGroup"): {"EfaSecurityGroup7CA28382"},
    ("storage", "AWS::S3::Bucket"): {
        "AccessLogs8B620ECA",
        "Lifecycle5C7F7473",
        "ModelsC55D3500",
        "Tls841AEEF3",
    },
    ("storage", "AWS::KMS::Key"): {"Keysdata987BC1A0", "KeyssecretsADF1F206"},
    ("storage", "AWS::FSx::FileSystem"): {"FileSystem8A8E25C0"},
    ("control-plane", "AWS::EKS::Cluster"): {"Eks3DB0AF90"},
    ("control-plane", "AWS::IAM::OIDCProvider"): {"EksOidcProviderF266FB59"},
    ("hyperpod", "AWS::SageMaker::Cluster"): {"HyperPodED6AB1C4"},
    ("hyperpod", "AWS::IAM::Role"): {"NodeRoleB5643E21"},
}


@pytest.mark.parametrize(("stack", "kind"), STATEFUL)
def test_logical_ids_are_pinned(full: Synthesised, stack: str, kind: str) -> None:
    found = set(full.resources(kind, stack))
    assert found == STATEFUL[stack, kind], (
        f"logical ids of {kind} changed: CloudFormation would delete the old ones, with what they hold, "
        "in every deployed environment. Keep the construct ids, or move the resources on purpose"
    )


def test_logical_ids_do_not_depend_on_the_environment(
    environments: dict[str, Synthesised],
) -> None:
    ids = {
        name: {
            kind: set(environments[name].resources(kind))
            for kind in ("AWS::EKS::Cluster", "AWS::SageMaker::Cluster", "AWS::S3::Bucket")
        }
        for name in ("plain", "full", "closed", "unusual", "dev", "prod")
    }
    assert all(found == ids["plain"] for found in ids.values())


def test_stacks_are_named_and_protected(environment: Synthesised) -> None:
    manifest = json.loads((environment.assembly / "manifest.json").read_text())
    stacks = {
        a["properties"]["stackName"]: a["properties"].get("terminationProtection", False)
        for a in manifest["artifacts"].values()
        if a["type"] == "aws:cloudformation:stack"
    }
    wanted = {"network", "storage", "hyperpod", "addons"}
    wanted |= {"images"} if environment.blueprint.images.registry != "public" else set()
    wanted |= {"delivery"} if environment.blueprint.argo_capability else set()
    wanted |= {"control-plane"} if environment.blueprint.cluster.existing is None else set()
    wanted |= {"observability"} if watched(environment) else set()
    assert set(stacks) == {names.stack(environment.blueprint.name, s) for s in wanted}
    assert set(stacks.values()) == {environment.blueprint.protected}


def test_outputs_are_the_late_bound_facts(environment: Synthesised) -> None:
    outputs = {
        key
        for template in environment.templates.values()
        for key, output in template.get("Outputs", {}).items()
        if "Export" not in output
    }
    wanted = {names.OUTPUT_VPC_ID, names.OUTPUT_HYPERPOD_CLUSTER_ARN}
    if environment.blueprint.file_system:
        wanted |= {
            names.OUTPUT_FILE_SYSTEM_ID,
            names.OUTPUT_FILE_SYSTEM_DNS_NAME,
            names.OUTPUT_FILE_SYSTEM_MOUNT_NAME,
        }
    if watched(environment):
        wanted.add(names.OUTPUT_PROMETHEUS_URL)
        assert environment.blueprint.observability is not None
        if environment.blueprint.observability.managed_grafana:
            wanted.add(names.OUTPUT_GRAFANA_URL)
    if environment.blueprint.operator.install == "helm":
        wanted |= {names.OUTPUT_LOAD_BALANCER_ROLE_ARN, names.OUTPUT_AUTOSCALER_ROLE_ARN}
    assert outputs == wanted


def watched(environment: Synthesised) -> bool:
    plan = environment.blueprint.observability
    return plan is not None and plan.enabled


def test_tags_reach_what_costs_money(environment: Synthesised) -> None:
    for kind in ("AWS::SageMaker::Cluster", "AWS::EKS::Cluster", "AWS::S3::Bucket", "AWS::EC2::NatGateway"):
        for resource in environment.properties(kind):
            tags = {tag["Key"]: tag["Value"] for tag in resource["Tags"]}
            assert dict(environment.blueprint.tags).items() <= tags.items()
