"""Regions, Kubernetes versions, capacity, access, and what production asks for."""

from __future__ import annotations

import pytest

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.config import references
from tests.support.documents import check_value, spoiled
from tests.support.judging import environment_findings

PLAN = """
cluster:
  instance_groups:
    decode:
      capacity: {kind: training-plan, training_plan_arn: 'arn:aws:sagemaker:%s:%s:training-plan/dpd'}
"""


@pytest.mark.parametrize(
    ("version", "severity"),
    [
        ("1.29", "error"),
        ("1.30", "warning"),
        ("1.32", "warning"),
        ("1.33", None),
        ("1.35", None),
        ("1.36", "warning"),
    ],
)
def test_kubernetes_window(tmp_path, version: str, severity: str | None) -> None:
    found = environment_findings("DPD228", f'cluster: {{kubernetes_version: "{version}"}}', tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])
    if found:
        assert found[0].path == "cluster.kubernetes_version" and "1.33 to 1.35" in found[0].fix


def test_a_region_that_nobody_knows(tmp_path) -> None:
    zones = "network: {control_plane_zones: [xxn9-az1, xxn9-az2], accelerator_zones: [xxn9-az1]}"
    report = check_value(spoiled(f"region: xx-nowhere-9\n{zones}", of="environment"), tmp_path)
    by_rule = {found.id: found for found in report.findings}
    refused, images = by_rule["DPD002"], by_rule["DPD229"]
    assert "HyperPod clusters in xx-nowhere-9" in refused.message and refused.path == "region"
    assert "not a Region of the catalogue" in images.message and images.path == "region"
    assert "DPD230" not in by_rule


def test_a_region_without_the_operators_images_says_what_the_guide_says(tmp_path) -> None:
    zones = "network: {control_plane_zones: [aps2-az1, aps2-az2], accelerator_zones: [aps2-az1]}"
    (found,) = environment_findings("DPD229", f"region: ap-south-2\n{zones}", tmp_path)
    assert "16 Regions" in found.message and "the guide speaks of all" in found.message
    (observed,) = environment_findings("DPD230", f"region: ap-south-2\n{zones}", tmp_path)
    assert "managed Prometheus and managed Grafana" in observed.message


@pytest.mark.parametrize(
    ("region", "account", "says"),
    [
        ("us-east-1", "111122223333", "Region us-east-1"),
        ("us-west-2", "999988887777", "account 999988887777"),
        ("eu-west-1", "999988887777", "Region eu-west-1 (the environment's is us-west-2) and account"),
        ("us-west-2", "111122223333", ""),
    ],
)
def test_training_plans(tmp_path, region: str, account: str, says: str) -> None:
    found = environment_findings("DPD233", PLAN % (region, account), tmp_path)
    assert bool(found) is bool(says)
    if found:
        assert says in found[0].message and found[0].path.endswith("capacity.training_plan_arn")


def test_spot_for_a_group_that_both_roles_use(tmp_path) -> None:
    fragment = """
cluster: {instance_groups: {decode: {count: 2, capacity: {kind: spot}}}}
endpoints: {llama-70b: {prefill: {instance_group: decode}}}
"""
    (found,) = environment_findings("DPD234", fragment, tmp_path)
    assert found.severity == "warning" and found.path == "cluster.instance_groups.decode.capacity"
    assert (
        environment_findings("DPD234", "cluster: {instance_groups: {system: {capacity: spot}}}", tmp_path)
        == []
    )


@pytest.mark.parametrize(
    ("ranges", "says"),
    [
        ("0.0.0.0/0", "everybody"),
        ("0.0.0.0/1", "2,147,483,648 addresses"),
        ("10.0.0.0/8", ""),
        ("198.51.100.7/32", ""),
    ],
)
def test_who_reaches_the_api(tmp_path, ranges: str, says: str) -> None:
    fragment = f"cluster: {{api_access: {{public_cidrs: [203.0.113.0/24, {ranges}]}}}}"
    found = environment_findings("DPD236", fragment, tmp_path)
    assert bool(found) is bool(says)
    if found:
        assert says in found[0].message and found[0].path == "cluster.api_access.public_cidrs[1]"


@pytest.mark.parametrize(
    ("rule", "fragment"),
    [
        ("DPD237", "tags: {a: b}"),
        ("DPD238", "cluster: {node_recovery: false}"),
        ("DPD243", "network: {flow_logs: false}"),
    ],
)
def test_a_note_that_production_makes_a_warning(tmp_path, rule: str, fragment: str) -> None:
    (note,) = environment_findings(rule, fragment, tmp_path)
    (warning,) = environment_findings(rule, f"{fragment}\nproduction: true", tmp_path)
    assert (note.severity, warning.severity) == ("info", "warning")


def test_the_key_for_secrets_matters_in_production_only(tmp_path) -> None:
    assert environment_findings("DPD242", "production: false", tmp_path) == []
    assert environment_findings("DPD242", "cluster: {lifecycle_scripts: null}", tmp_path, name="prod") == []


def test_lifecycle_folder_without_its_script(tmp_path) -> None:
    (tmp_path / "scripts").mkdir()
    value = spoiled("cluster: {lifecycle_scripts: scripts}", of="environment")
    (found,) = [f for f in check_value(value, tmp_path).findings if f.id == "DPD002"]
    assert names.LIFECYCLE_ENTRYPOINT in found.message
    (tmp_path / "scripts" / names.LIFECYCLE_ENTRYPOINT).write_text("exit 0\n", encoding="utf-8")
    assert not [f for f in check_value(value, tmp_path).findings if f.id == "DPD002"]
    assert references.LIFECYCLE_ENTRYPOINT == names.LIFECYCLE_ENTRYPOINT
