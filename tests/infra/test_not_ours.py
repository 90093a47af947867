"""Nothing that the document says exists is emptied, overwritten, given another policy or retagged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from tests.infra.conftest import Synthesised, synthesise
from tests.support.documents import environment as environment_document

GIVEN = {
    "lifecycle bucket": "sagemaker-shared-scripts",
    "models bucket": "shared-models",
    "tls bucket": "hyperpod-tls-shared",
    "log bucket": "shared-access-logs",
    "vpc": "vpc-0e7150e7150e7150e",
    "subnet": "subnet-0e7a3e7a3e7a3e7a3",
    "route table": "rtb-0e7150e7150e7150e",
    "nodes' group": "sg-0e7150e7150e71111",
    "cluster's group": "sg-0e7150e7150e7150e",
    "node role": "shared-nodes",
    "operator role": "SageMakerHyperPodInference-shared",
    "prometheus": "ws-0e7150e7-150e-4150-a150-0e7150e7150e",
    "grafana": "g-9a8b7c6d5e",
}
ADDS_TO_IT = {
    "AWS::EC2::VPCEndpoint": "a gateway in route tables that the document names for it",
    "AWS::EC2::SecurityGroup": "a group of ours in their VPC",
    "AWS::APS::RuleGroupsNamespace": "rules of our own name",
    "AWS::SageMaker::Cluster": "nodes in their subnet, with their role and group, scripts read from their bucket",
    "AWS::EKS::Addon": "settings that name their roles, bucket and workspace",
    "AWS::EKS::PodIdentityAssociation": "their role for a service account",
    "AWS::IAM::Role": "a role of ours that reads what is theirs",
    "AWS::FSx::FileSystem": "a file system of ours in their subnet, with their group",
    "AWS::IAM::Policy": "what the function that copies scripts may do",
    "AWS::FSx::DataRepositoryAssociation": "a file system of ours, filled from their bucket",
    "AWS::CloudWatch::Alarm": "an alarm of ours on their workspace's metrics",
    "AWS::Lambda::Function": "a function of ours that is told their workspace",
    "Custom::CDKBucketDeployment": "scripts below a prefix of our own, without pruning",
}
"""Types that may name what is not ours, and what they do: each one makes something new beside it."""


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Synthesised:
    """An environment on things of somebody else's wherever the document can name one."""
    folder = tmp_path_factory.mktemp("not-ours")
    document = environment_document("existing-cluster")
    role = "arn:aws:iam::111122223333:role/"
    document["network"]["existing"]["security_group_id"] = GIVEN["nodes' group"]
    document["cluster"]["lifecycle_scripts"] = "lifecycle"
    document["storage"] = {
        "file_system": {},
        "existing_buckets": {
            "lifecycle": GIVEN["lifecycle bucket"],
            "models": GIVEN["models bucket"],
            "tls": GIVEN["tls bucket"],
            "access_logs": GIVEN["log bucket"],
        },
    }
    document["roles"] = {"nodes": role + GIVEN["node role"], "operator": role + GIVEN["operator role"]}
    document["observability"] = {
        "prometheus_workspace_id": GIVEN["prometheus"],
        "grafana_workspace": {"id": GIVEN["grafana"], "name": "shared"},
    }
    (folder / "lifecycle").mkdir()
    (folder / "lifecycle" / "on_create.sh").write_text("#!/bin/bash\nexit 0\n")
    (folder / "mine.yaml").write_text(json.dumps(document))
    made = resolve(load_environment(folder / "mine.yaml"))
    return synthesise([made], tmp_path_factory.mktemp("cdk") / "out")["mine"]


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(each)


def naming(environment: Synthesised, what: str) -> dict[str, list[dict[str, Any]]]:
    """Properties of every resource that names ``what`` anywhere, by type."""
    found: dict[str, list[dict[str, Any]]] = {}
    for _, resource in environment.all_resources():
        if any(what in text for text in texts(resource.get("Properties", {}))):
            found.setdefault(resource["Type"], []).append(resource["Properties"])
    return found


@pytest.mark.parametrize("what", GIVEN)
def test_what_names_a_given_thing_only_adds_to_it(given: Synthesised, what: str) -> None:
    found = naming(given, GIVEN[what])
    assert found or what in {"cluster's group", "log bucket"}, f"{what} is used nowhere"
    assert set(found) <= set(ADDS_TO_IT), f"{what}: {sorted(set(found) - set(ADDS_TO_IT))}"


def test_scripts_are_added_to_a_given_bucket_and_nothing_is_pruned(given: Synthesised) -> None:
    (copy,) = given.properties("Custom::CDKBucketDeployment")
    assert copy["DestinationBucketName"] == GIVEN["lifecycle bucket"]
    assert copy["DestinationBucketKeyPrefix"] == "dpd-mine/scripts"
    assert copy["Prune"] is False
    assert copy["RetainOnDelete"] is True


def test_nodes_read_the_scripts_where_they_were_put(given: Synthesised) -> None:
    (cluster,) = given.properties("AWS::SageMaker::Cluster")
    uris = {group["LifeCycleConfig"]["SourceS3Uri"] for group in cluster["InstanceGroups"]}
    assert uris == {f"s3://{GIVEN['lifecycle bucket']}/dpd-mine/scripts/"}


def test_no_given_bucket_is_made_or_gets_a_policy(given: Synthesised) -> None:
    assert not given.resources("AWS::S3::Bucket")
    assert not given.resources("AWS::S3::BucketPolicy")


def test_addons_leave_what_they_find_in_a_given_cluster(given: Synthesised) -> None:
    assert {addon["ResolveConflicts"] for addon in given.properties("AWS::EKS::Addon")} == {"PRESERVE"}


def test_addons_of_an_own_cluster_have_our_settings(plain: Synthesised) -> None:
    assert {addon["ResolveConflicts"] for addon in plain.properties("AWS::EKS::Addon")} == {"OVERWRITE"}


def test_a_given_security_group_keeps_its_rules(given: Synthesised) -> None:
    rules = [
        *given.properties("AWS::EC2::SecurityGroupIngress"),
        *given.properties("AWS::EC2::SecurityGroupEgress"),
    ]
    for rule in rules:
        assert rule["GroupId"] not in GIVEN.values()


def test_rules_in_a_given_workspace_carry_the_environment(given: Synthesised) -> None:
    names = [rules["Name"] for rules in given.properties("AWS::APS::RuleGroupsNamespace")]
    assert names == ["dpd-mine-llama-70b"]
    assert not given.resources("AWS::APS::Workspace")


def test_a_link_of_the_stand_in_file_system_never_writes_back(given: Synthesised) -> None:
    (link,) = given.properties("AWS::FSx::DataRepositoryAssociation")
    assert "AutoExportPolicy" not in link["S3"]
    assert link["DataRepositoryPath"].startswith(f"s3://{GIVEN['models bucket']}/")
