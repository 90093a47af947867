"""Where the roles may land: zones by name and by id, instance types, placement groups."""

from __future__ import annotations

import pytest

from tests.support.judging import environment_findings, lacks, manifest_findings, not_checked

ZONE = "spec: {{pdSpec: {{topologySpec: {{availabilityZone: {zone}}}}}}}"
ZONES = "network: {{accelerator_zones: [{{id: usw2-az2, name: us-west-2b}}]}}\n{rest}"


def test_a_zone_id_is_not_a_zone_name_also_on_a_lone_manifest(tmp_path) -> None:
    (found,) = manifest_findings("DPD204", ZONE.format(zone="usw2-az2"), tmp_path)
    assert found.path == "spec.pdSpec.topologySpec.availabilityZone"
    assert "'usw2-az2' is a zone id" in found.message


def test_a_region_is_no_zone_name_whatever_the_cluster(tmp_path) -> None:
    (found,) = manifest_findings("DPD204", ZONE.format(zone="us-west-2"), tmp_path)
    assert "'us-west-2' is not a zone name" in found.message


AFFINITY = """
spec:
  instanceType: null
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
      - matchExpressions:
        - {{key: node.kubernetes.io/instance-type, operator: {operator}, values: [{types}]}}
"""


def test_types_that_a_node_affinity_asks_for_are_judged(tmp_path) -> None:
    fragment = AFFINITY.format(operator="In", types="ml.g6e.48xlarge")
    (found,) = manifest_findings("DPD201", fragment, tmp_path)
    assert found.path.endswith("matchExpressions[0].values[0]") and "ml.g6e.48xlarge" in found.message
    (found,) = manifest_findings(
        "DPD205", AFFINITY.format(operator="In", types="ml.p5.48xlarge, ml.p5en.48xlarge"), tmp_path
    )
    assert "ml.p5.48xlarge, ml.p5en.48xlarge" in found.message


def test_a_node_affinity_that_excludes_a_type_names_none(tmp_path) -> None:
    fragment = AFFINITY.format(operator="NotIn", types="ml.g6e.48xlarge")
    assert manifest_findings("DPD201", fragment, tmp_path) == []


def test_a_zone_name_needs_the_region_to_be_judged(tmp_path) -> None:
    fragment = ZONE.format(zone="us-west-2b")
    assert manifest_findings("DPD204", fragment, tmp_path) == []
    assert lacks(not_checked(fragment, tmp_path), "DPD204", "region")


def test_no_zone_no_question(tmp_path) -> None:
    assert not lacks(not_checked("spec: {modelName: x}", tmp_path), "DPD204", "region")


@pytest.mark.parametrize(
    ("zone", "says"),
    [
        ("us-east-1b", "not a zone of us-west-2"),
        ("us-west-2", "not a zone name"),
        ("us-west-2c", "stands in us-west-2b"),
    ],
)
def test_a_zone_of_an_environment_that_its_nodes_are_not_in(tmp_path, zone: str, says: str) -> None:
    rest = f"endpoints: {{llama-70b: {{placement: {{zone_name: {zone}}}}}}}"
    (found,) = environment_findings("DPD204", ZONES.format(rest=rest), tmp_path)
    assert found.path == "endpoints.llama-70b.placement.zone_name"
    assert says in found.message


def test_the_zone_that_the_nodes_are_in(tmp_path) -> None:
    rest = "endpoints: {llama-70b: {placement: {zone_name: us-west-2b}}}"
    assert environment_findings("DPD204", ZONES.format(rest=rest), tmp_path) == []


@pytest.mark.parametrize("role", ["prefill", "decode"])
def test_a_selected_zone_id_must_be_the_groups(tmp_path, role: str) -> None:
    fragment = "endpoints: {llama-70b: {%s: {node_selector: {topology.k8s.aws/zone-id: %s}}}}"
    assert environment_findings("DPD204", fragment % (role, "usw2-az2"), tmp_path) == []
    (found,) = environment_findings("DPD204", fragment % (role, "usw2-az1"), tmp_path)
    assert "stands in usw2-az2" in found.message and found.path.startswith(f"endpoints.llama-70b.{role}")


@pytest.mark.parametrize("types", ["[ml.p5.48xlarge, ml.p5.48xlarge]", "[ml.p5en.48xlarge]"])
def test_one_type_listed_is_one_type(tmp_path, types: str) -> None:
    fragment = f"spec: {{instanceType: null, instanceTypes: {types}}}"
    assert manifest_findings("DPD205", fragment, tmp_path) == []


def test_groups_of_two_types_in_an_environment(tmp_path) -> None:
    fragment = "cluster: {instance_groups: {decode: {instance_type: ml.p5en.48xlarge}}}"
    (found,) = environment_findings("DPD205", fragment, tmp_path)
    assert found.path == "endpoints.llama-70b.decode.instance_group"
    assert "decode runs on ml.p5en.48xlarge, prefill on ml.p5.48xlarge" in found.message


def test_labels_of_two_types_in_a_manifest(tmp_path) -> None:
    fragment = """
spec:
  pdSpec:
    prefillSpec: {nodeSelector: {node.kubernetes.io/instance-type: ml.p5.48xlarge}}
    decodingSpec: {nodeSelector: {node.kubernetes.io/instance-type: ml.p5e.48xlarge}}
"""
    (found,) = manifest_findings("DPD205", fragment, tmp_path)
    assert found.path.startswith("spec.pdSpec.decodingSpec.nodeSelector")


def test_a_placement_group_in_an_environment(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {placement: {placement_group: near}}}"
    (found,) = environment_findings("DPD214", fragment, tmp_path)
    assert found.path == "endpoints.llama-70b.placement.placement_group"
    assert "not confirmed" in found.message and found.severity == "warning"


def test_roles_of_a_lone_manifest_without_a_common_place_are_not_checked(tmp_path) -> None:
    free = "spec: {pdSpec: {prefillSpec: {nodeSelector: null}, decodingSpec: {nodeSelector: null}}}"
    assert lacks(not_checked(free, tmp_path), "DPD203", "cluster")
    one = """
spec:
  pdSpec:
    prefillSpec: {nodeSelector: {sagemaker.amazonaws.com/instance-group-name: gpus}}
    decodingSpec: {nodeSelector: {sagemaker.amazonaws.com/instance-group-name: gpus}}
"""
    assert not lacks(not_checked(one, tmp_path), "DPD203", "cluster")
