"""What a change of a whole environment does: one finding for each cause, and one line for all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperpod_dpd.rules.finding import Report
from hyperpod_dpd.rules.rule import Severity
from tests.support.documents import check_change, environment, spoiled

CHANGES = ("DPD948", "DPD949", "DPD95")


def changed(fragment: str, folder: Path, *, before: str = "{}") -> Report:
    return check_change(spoiled(before, of="environment"), spoiled(fragment, of="environment"), folder)


def told(report: Report) -> list[tuple[str, str, str]]:
    return [(f.id, f.severity.value, f.path) for f in report.findings if f.id.startswith(CHANGES)]


LASTING = [
    ("network: {cidr: 10.77.0.0/16}", "network", "vpc"),
    ('account: "999988887777"', "account", "account"),
    (
        "{region: us-east-2, network: {control_plane_zones: [use2-az1, use2-az2], accelerator_zones: [use2-az2]}}",
        "region",
        "region",
    ),
    ("network: {accelerator_zones: [usw2-az3]}", "cluster.instance_groups", "hyperpod-cluster subnet"),
    ('cluster: {kubernetes_version: "1.35"}', "cluster.kubernetes_version", "kubernetes version"),
    ('operator: {release: "3.3"}', "operator.release", "operator release"),
    (
        "cluster: {instance_groups: {decode: {capacity: spot}}}",
        "cluster.instance_groups.decode.capacity",
        "instance-group decode capacity",
    ),
    (
        "cluster: {instance_groups: {decode: {threads_per_core: 1}}}",
        "cluster.instance_groups.decode.threads_per_core",
        "instance-group decode threads per core",
    ),
    (
        "network: {control_plane_zones: [usw2-az1, usw2-az2, usw2-az3]}",
        "network.control_plane_zones",
        "control-plane zones",
    ),
    ("storage: {own_kms_keys: true}", "storage.own_kms_keys", "eks-cluster secrets key"),
]


@pytest.mark.parametrize(("fragment", "path", "fact"), LASTING, ids=[fact for _, _, fact in LASTING])
def test_what_cannot_be_done_in_place_is_one_error(
    fragment: str, path: str, fact: str, tmp_path: Path
) -> None:
    report = changed(fragment, tmp_path)
    errors = [each for each in told(report) if each[1] == "error"]
    assert errors == [("DPD948", "error", path)]
    (found,) = [f for f in report.findings if f.id == "DPD948"]
    assert found.message.startswith(f"{fact} was ")
    assert report.impact is not None and f"cannot be done in place: {fact}" in report.impact


@pytest.mark.parametrize("version", ["1.32", "1.31"])
def test_kubernetes_does_not_go_down(version: str, tmp_path: Path) -> None:
    report = changed(f'cluster: {{kubernetes_version: "{version}"}}', tmp_path)
    assert "DPD948" in {each for each, _, _ in told(report)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", 'cluster: {kubernetes_version: "1.34"}'),
        ('operator: {release: "3.3"}', 'operator: {release: "3.4"}'),
        ("{}", "cluster: {instance_groups: {decode: {count: 3}}}"),
        ("{}", "cluster: {instance_groups: {spare: {instance_type: ml.m5.4xlarge, count: 1}}}"),
        ("cluster: {instance_groups: {spare: {instance_type: ml.m5.4xlarge, count: 1}}}", "{}"),
    ],
)
def test_what_goes_in_place_is_no_finding(before: str, after: str, tmp_path: Path) -> None:
    assert told(changed(after, tmp_path, before=before)) == []


def test_another_type_is_refused_for_each_group_alone(tmp_path: Path) -> None:
    types = "cluster: {instance_groups: {prefill: {instance_type: %s}, decode: {instance_type: %s}}}"
    report = changed(types % ("ml.p5en.48xlarge", "ml.p5en.48xlarge"), tmp_path)
    assert [each for each in told(report) if each[1] != "info"] == [
        ("DPD948", "error", f"cluster.instance_groups.{group}.instance_type")
        for group in ("prefill", "decode")
    ]
    fixes = [f.fix for f in report.findings if f.id == "DPD948"]
    assert "'prefill-2'" in fixes[0] and "dpd nodes" in fixes[0] and "'decode-2'" in fixes[1]


def test_another_model_is_told_with_what_its_callers_meet(tmp_path: Path) -> None:
    report = changed("endpoints: {llama-70b: {model: {catalogue: llama-3.1-70b-instruct}}}", tmp_path)
    (found,) = [f for f in report.findings if f.id == "DPD949"]
    assert found.path == "endpoints.llama-70b.model" and "callers" in found.message
    assert report.impact == "2 pods restart"


def test_a_reason_makes_it_a_note(tmp_path: Path) -> None:
    document = spoiled("network: {cidr: 10.77.0.0/16}", of="environment")
    document["acknowledge"] = {"DPD948": "nothing runs there yet"}
    report = check_change(environment(), document, tmp_path)
    (found,) = [f for f in report.findings if f.id == "DPD948"]
    assert found.acknowledged == "nothing runs there yet"
    assert "DPD007" not in {f.id for f in report.findings}


def test_gpus_are_counted(tmp_path: Path) -> None:
    more = "cluster: {instance_groups: {decode: {count: 3}}}"
    assert changed(more, tmp_path).impact == "16 GPUs added"
    assert changed("{}", tmp_path, before=more).impact == "16 GPUs given back"


def test_without_a_change_nothing_is_touched(tmp_path: Path) -> None:
    report = changed("{}", tmp_path)
    assert report.impact == "nothing that runs is touched"
    assert not [f for f in report.findings if f.severity is Severity.ERROR]
