"""Instance groups: enough nodes for the pods, plain ones for the system, no taints in the way."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperpod_dpd.sizing.packing import nodes_needed, total_gpus
from tests.support.documents import check_value, spoiled
from tests.support.judging import environment_findings, lacks, not_checked

GROUPS = "cluster: {instance_groups: {%s}}"
TAINT = "{key: dpd, value: decode, effect: %s}"
SECOND = """
endpoints:
  second:
    topology: %s
    model: {catalogue: llama-3.3-70b-instruct, weights: {s3: {prefix: models/second}}}
    prefill: {instance_group: prefill, gpus: %d}
    decode: {instance_group: %s, gpus: %d}
"""


@pytest.mark.parametrize(
    ("pods", "nodes"),
    [
        ([], 0),
        ([8], 1),
        ([4, 4], 1),
        ([8, 4, 4], 2),
        ([4, 8, 4, 8], 3),
        ([6, 6], 2),
        ([5, 3, 3, 5], 2),
        ([9], None),
    ],
)
def test_nodes_needed(pods: list[int], nodes: int | None) -> None:
    assert nodes_needed(Counter(pods), node_gpus=8) == nodes


@given(pods=st.dictionaries(st.integers(1, 8), st.integers(0, 6), max_size=4))
def test_nodes_needed_is_within_what_is_possible(pods: dict[int, int]) -> None:
    nodes = nodes_needed(pods, node_gpus=8)
    assert nodes is not None
    each_alone = sum(-(-number // (8 // gpus)) for gpus, number in pods.items())
    assert -(-total_gpus(pods) // 8) <= nodes <= each_alone


def test_any_number_of_pods_is_counted_at_once(tmp_path: Path) -> None:
    """A document may say 10**30 replicas; a list of pods would take the machine's memory."""
    assert nodes_needed({8: 10**30, 3: 10**30 + 1}, node_gpus=8) == 10**30 + (10**30 + 2) // 2
    document = spoiled(
        f"endpoints: {{llama-70b: {{prefill: {{replicas: {10**30}, autoscaling: {{max_replicas: {10**31}}}}}}}}}",
        of="environment",
    )
    report = check_value(document, tmp_path)
    assert {"DPD215", "DPD217"} <= {found.id for found in report.findings}
    assert not [found.message for found in report.findings if found.id == "DPD001"]


@pytest.mark.parametrize("effect", ["NoSchedule", "NoExecute"])
@pytest.mark.parametrize("release", ["3.4", "3.7"])
def test_a_taint_that_no_pod_tolerates(tmp_path, effect: str, release: str) -> None:
    fragment = GROUPS % ("decode: {taints: [%s]}" % (TAINT % effect))
    operator = f'\noperator: {{release: "{release}", addon_version: v1.5.0-eksbuild.1}}'
    (found,) = environment_findings("DPD213", fragment + operator, tmp_path)
    assert f"dpd=decode:{effect}" in found.message and "not confirmed" in found.message
    assert found.path == "endpoints.llama-70b.decode.instance_group"


def test_a_preference_keeps_nobody_away(tmp_path) -> None:
    assert (
        environment_findings(
            "DPD213", GROUPS % ("decode: {taints: [%s]}" % (TAINT % "PreferNoSchedule")), tmp_path
        )
        == []
    )


def test_taints_are_not_checked_without_a_cluster(tmp_path) -> None:
    notes = not_checked("{}", tmp_path)
    assert lacks(notes, "DPD213", "cluster") and lacks(notes, "DPD215", "cluster")


def test_both_roles_in_a_group_of_one_node(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {prefill: {instance_group: decode}}}"
    (found,) = environment_findings("DPD215", fragment, tmp_path)
    assert "2 pods with 16 GPUs select group 'decode'; they need 2 nodes, it has 1" in found.message
    assert found.fix.startswith("set the count of group 'decode' to 2")


def test_two_halves_share_a_node(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {prefill: {instance_group: decode, gpus: 4}, decode: {gpus: 4}}}"
    assert environment_findings("DPD215", fragment, tmp_path) == []


def test_a_group_without_nodes_and_a_pod_larger_than_a_node(tmp_path) -> None:
    (empty,) = environment_findings("DPD215", GROUPS % "decode: {count: 0}", tmp_path)
    assert "it has 0" in empty.message
    (large,) = environment_findings("DPD215", "endpoints: {llama-70b: {decode: {gpus: 16}}}", tmp_path)
    assert "16 GPUs; ml.p5.48xlarge has 8" in large.message


def test_endpoints_that_share_a_group(tmp_path) -> None:
    found = environment_findings("DPD216", SECOND % ("disaggregated", 8, "decode", 8), tmp_path)
    assert [f.path for f in found] == [f"cluster.instance_groups.{g}.count" for g in ("prefill", "decode")]
    assert "llama-70b, second put 2 pods with 16 GPUs" in found[0].message


def test_endpoints_that_fit_together(tmp_path) -> None:
    halves = (
        SECOND % ("disaggregated", 4, "decode", 4) + "  llama-70b: {prefill: {gpus: 4}, decode: {gpus: 4}}\n"
    )
    assert environment_findings("DPD216", halves, tmp_path) == []


def test_a_colocated_endpoint_counts_too(tmp_path) -> None:
    found = environment_findings("DPD216", SECOND % ("colocated", 8, "prefill", 8), tmp_path)
    assert [f.path for f in found] == ["cluster.instance_groups.prefill.count"]
    assert "4 pods with 32 GPUs on groups 'prefill', 'decode'" in found[0].message
    assert "they need 4 nodes, these have 2" in found[0].message and "set count to 3" in found[0].fix


def test_going_back_to_colocated_takes_the_nodes_of_both_groups(tmp_path) -> None:
    back = "endpoints: {llama-70b: {topology: colocated}}"
    assert environment_findings("DPD216", back, tmp_path) == []
    larger = "cluster: {instance_groups: {decode: {instance_type: ml.p5en.48xlarge}}}\n" + back
    (found,) = environment_findings("DPD216", larger, tmp_path)
    assert "2 pods with 16 GPUs on group 'prefill'; they need 2 nodes, it has 1" in found.message


def test_an_endpoint_too_large_by_itself_is_reported_once(tmp_path) -> None:
    fragment = "endpoints: {llama-70b: {prefill: {replicas: 2}}}"
    assert len(environment_findings("DPD215", fragment, tmp_path)) == 1
    assert environment_findings("DPD216", fragment, tmp_path) == []


@pytest.mark.parametrize(("most", "severity"), [(1, None), (2, "info"), (3, "info"), (4, "warning")])
def test_nodes_after_scaling(tmp_path, most: int, severity: str | None) -> None:
    fragment = GROUPS % "prefill: {count: 1, max_count: 3}" + (
        f"\nendpoints: {{llama-70b: {{prefill: {{autoscaling: {{max_replicas: {most}}}}}}}}}"
    )
    found = environment_findings("DPD217", fragment, tmp_path)
    assert [f.severity for f in found] == ([severity] if severity else [])
    if found:
        assert found[0].path == "endpoints.llama-70b.prefill.autoscaling.max_replicas"


@pytest.mark.parametrize(
    ("system", "says"),
    [
        ("system: null", "every instance group has accelerators"),
        ("system: {instance_type: ml.m7g.4xlarge}", "arm64, and the operator runs on amd64 only"),
        ("system: {count: 0}", "has no nodes"),
        ("system: {instance_type: ml.trn1.32xlarge}", "every instance group has accelerators"),
    ],
)
def test_no_group_for_the_system(tmp_path, system: str, says: str) -> None:
    (found,) = environment_findings("DPD219", GROUPS % system, tmp_path)
    assert says in found.message and found.severity == "error"
    assert environment_findings("DPD220", GROUPS % system, tmp_path) == []


def test_an_unknown_type_is_given_the_benefit_of_the_doubt(tmp_path) -> None:
    fragment = GROUPS % "system: {instance_type: ml.m99.4xlarge}"
    assert environment_findings("DPD219", fragment, tmp_path) == []
    (found,) = environment_findings("DPD221", fragment, tmp_path)
    assert found.severity == "warning" and "not in the catalogue" in found.message


@pytest.mark.parametrize(
    ("system", "severities"),
    [
        ("{instance_type: ml.m5.large, count: 1}", ["error"]),
        ("{instance_type: ml.c5.2xlarge, count: 2}", ["warning"]),
        ("{instance_type: ml.c5.4xlarge, count: 1}", ["warning"]),
        ("{instance_type: ml.c5.4xlarge, count: 2}", []),
    ],
)
def test_room_for_the_system_pods(tmp_path, system: str, severities: list[str]) -> None:
    found = environment_findings("DPD220", GROUPS % f"system: {system}", tmp_path)
    assert [f.severity for f in found] == severities


def test_a_second_system_group_helps(tmp_path) -> None:
    fragment = GROUPS % "arm: {instance_type: ml.m7g.4xlarge, count: 2}"
    assert environment_findings("DPD219", fragment, tmp_path) == []


def test_a_type_without_its_prefix(tmp_path) -> None:
    (found,) = environment_findings("DPD221", GROUPS % "system: {instance_type: m5.4xlarge}", tmp_path)
    assert found.severity == "error" and found.fix == "write ml.m5.4xlarge"


def test_types_of_roles_are_another_rules_matter(tmp_path) -> None:
    fragment = GROUPS % "prefill: {instance_type: ml.p5.96xlarge}, decode: {instance_type: ml.p5.96xlarge}"
    assert environment_findings("DPD221", fragment, tmp_path) == []
    assert environment_findings("DPD201", fragment, tmp_path)


def test_taints_or_health_checks_alone_are_fine(tmp_path) -> None:
    for alone in ("taints: [%s]" % (TAINT % "NoSchedule"), "deep_health_checks: [InstanceStress]"):
        assert environment_findings("DPD222", GROUPS % f"decode: {{{alone}}}", tmp_path) == []
    both = "decode: {taints: [%s], deep_health_checks: [InstanceConnectivity]}" % (TAINT % "PreferNoSchedule")
    (found,) = environment_findings("DPD222", GROUPS % both, tmp_path)
    assert "InstanceConnectivity" in found.message and found.path.endswith("decode.deep_health_checks")


def test_health_checks_of_an_unknown_type_are_not_judged(tmp_path) -> None:
    fragment = GROUPS % "system: {instance_type: ml.m99.large, deep_health_checks: [InstanceStress]}"
    assert environment_findings("DPD223", fragment, tmp_path) == []
