"""Things that exist already are refused where they cannot be used, with their place and a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.names import OPERATOR_ADDON
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.blueprint.teardown import environment_teardown
from hyperpod_dpd.config import InvalidEnvironment, existing_references
from tests.unit.config.test_cloud_references import load

ROLE = "arn:aws:iam::111122223333:role"


@pytest.mark.parametrize(
    ("base", "fragment", "place", "words"),
    [
        ("dev", "roles: {keda: 'arn:aws:iam::999999999999:role/x'}", "roles.keda", "another account"),
        ("dev", f"roles: {{operator: {ROLE}/Inference}}", "roles.operator", "SageMakerHyperPodInference"),
        ("dev", f"roles: {{autoscaling: {ROLE}/karpenter}}", "roles.autoscaling", "cluster.autoscaling"),
        (
            "dev",
            "storage: {existing_buckets: {lifecycle: scripts-bucket}}",
            "storage.existing_buckets.lifecycle",
            "sagemaker-",
        ),
        (
            "dev",
            "storage: {existing_buckets: {tls: certificates}}",
            "storage.existing_buckets.tls",
            "hyperpod-tls",
        ),
        (
            "dev",
            f"cluster: {{admin_role_arns: [{ROLE}/a], deployer_role_arns: [{ROLE}/a]}}",
            "cluster.deployer_role_arns[0]",
            "admin_role_arns already",
        ),
        (
            "dev",
            f"cluster: {{reader_role_arns: [{ROLE}/a, {ROLE}/a]}}",
            "cluster.reader_role_arns[1]",
            "reader_role_arns already",
        ),
        (
            "dev",
            "observability: {grafana: external, grafana_workspace: {id: g-0123456789, name: b}}",
            "observability.grafana_workspace",
            "external",
        ),
        (
            "dev",
            f"{{observability: {{grafana_workspace: {{id: g-0123456789, name: b}}}}, roles: {{grafana: {ROLE}/g}}}}",
            "roles.grafana",
            "owner's",
        ),
        (
            "existing-cluster",
            "cluster: {existing: {oidc_issuer: 'https://oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF'}}",
            "cluster.existing.oidc_issuer",
            "in us-west-2, and the environment is in us-east-2",
        ),
        (
            "dev",
            "platform: {external_secrets: {kms_key_arns: ['arn:aws:kms:us-east-1:111122223333:key/1']}}",
            "platform.external_secrets.kms_key_arns[0]",
            "the key is in us-east-1",
        ),
        (
            "existing-cluster",
            "network: {existing: {private_route_table_ids: [rtb-0123456789abcdef0, rtb-0123456789abcdef0]}}",
            "network.existing.private_route_table_ids[1]",
            "listed twice",
        ),
        *(
            (
                "dev",
                f"addon_values: {{{OPERATOR_ADDON}: {{{key}: x}}}}",
                f"addon_values.{OPERATOR_ADDON}.{key}",
                said,
            )
            for key, said in (
                ("executionRoleArn", "roles.operator"),
                ("tlsCertificateS3Bucket", "storage.existing_buckets.tls"),
                ("hyperpodClusterArn", "remove the line"),
            )
        ),
        ("dev", "scheduling: {fair_share: true}", "scheduling", "task_governance: true"),
        ("dev", "{task_governance: true, scheduling: {}}", "scheduling", "in us-west-2"),
        (
            "existing-cluster",
            "network: {existing: {accelerator_subnets: null}, accelerator_zones: [{id: use2-az3}]}",
            "network.accelerator_zones[0]",
            "no range for one to be made",
        ),
        (
            "existing-cluster",
            "network: {existing: {accelerator_subnets: null}, accelerator_zones: [{id: use2-az3, cidr: 10.99.0.0/20}]}",
            "network.accelerator_zones[0].cidr",
            "none of the VPC's ranges",
        ),
        (
            "existing-cluster",
            "network: {existing: {accelerator_subnets: null}}",
            "network.existing",
            "no way out",
        ),
    ],
)
def test_refused_with_place_and_fix(base: str, fragment: str, place: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidEnvironment) as error:
        load(tmp_path, fragment, base)
    assert any(f" {place}: " in str(fault) and words in str(fault) for fault in error.value.faults), (
        error.value
    )


def test_two_sources_of_scripts_exclude_each_other(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "on_create.sh").write_text("exit 0\n", encoding="utf-8")
    with pytest.raises(InvalidEnvironment, match="both say what nodes run"):
        load(tmp_path, "cluster: {lifecycle_scripts: scripts, lifecycle: {uri: 's3://sagemaker-x'}}")


@pytest.mark.parametrize(
    ("base", "fragment"),
    [
        (
            "dev",
            f"{{storage: {{existing_buckets: {{lifecycle: scripts}}}}, roles: {{nodes: {ROLE}/n}}}}",
        ),
        ("closed-network", "{task_governance: true, scheduling: {priority_classes: {inference: 100}}}"),
        (
            "existing-cluster",
            "network: {existing: {accelerator_subnets: null, nat_gateway_ids: {use2-az1: nat-0123456789abcdef0}}}",
        ),
        (
            "closed-network",
            "network: {existing: {accelerator_subnets: null}}",
        ),
    ],
)
def test_accepted(base: str, fragment: str, tmp_path: Path) -> None:
    load(tmp_path, fragment, base)


def test_names_are_those_of_the_blueprint() -> None:
    for name in (
        "OPERATOR_ROLE_PREFIX",
        "TLS_BUCKET_PREFIX",
        "LIFECYCLE_BUCKET_PREFIX",
        "TASK_GOVERNANCE_ADDON",
    ):
        assert getattr(existing_references, name) == getattr(names, name)


def test_a_teardown_leaves_buckets_of_somebody_else_alone(tmp_path: Path) -> None:
    buckets = "{models: our-models, tls: hyperpod-tls-ours, access_logs: our-logs}"
    blueprint = resolve(load(tmp_path, f"storage: {{existing_buckets: {buckets}}}"))
    teardown = environment_teardown(blueprint, ["storage"])
    [empty] = [step for step in teardown.steps if step.title == "Empty the buckets"]
    assert [blueprint.buckets.lifecycle in command for command in empty.commands] == [True]
    assert any("our-models" in line and "not ours" in line for line in teardown.stays)
    assert not any("our-" in command for step in teardown.steps for command in step.commands)
