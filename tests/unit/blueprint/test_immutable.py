"""What a lock holds is refused to change, by every program that resolves the document, unless a reason stands there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.blueprint.immutable import facts, gone, logical_ids
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import InvalidEnvironment, load_environment
from hyperpod_dpd.config.immutable import Immutable
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of environments/ whose dev is locked."""
    shutil.copytree(ENVIRONMENTS, tmp_path / "environments")
    monkeypatch.chdir(tmp_path)
    assert dpd("lock", "dev").status == 0
    return tmp_path / "environments" / "dev.yaml"


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_lock_names_what_cannot_change(locked: Path) -> None:
    lock = json.loads((locked.parent / "locks" / "dev.json").read_text(encoding="utf-8"))
    told = lock["immutable"]["facts"]
    assert told["hyperpod-cluster"] == "dpd-dev"
    assert told["hyperpod-cluster subnet"] == "accelerator-usw2-az2"
    assert told["hyperpod-cluster orchestrator"] == "eks"
    assert told["vpc"] == "own, 10.192.0.0/16"
    assert told["subnet accelerator-usw2-az2"] == "usw2-az2, 10.192.64.0/18"


def test_another_security_group_would_replace_the_cluster_and_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ENVIRONMENTS, tmp_path / "environments")
    monkeypatch.chdir(tmp_path)
    assert dpd("lock", "closed-network").status == 0
    file = tmp_path / "environments" / "closed-network.yaml"
    vpc = "vpc_id: vpc-0c105edc105edc105\n"
    change(file, vpc, f"{vpc}    security_group_id: sg-0123456789abcdef0\n")
    result = dpd("check", str(file))
    assert result.status == 1
    assert "'security group' is deployed as 'own' and becomes 'sg-0123456789abcdef0'" in result.out


def test_an_unchanged_document_passes_and_locking_again_changes_nothing(locked: Path) -> None:
    assert dpd("check", "-q", str(locked)).status == 0
    before = (locked.parent / "locks" / "dev.json").read_bytes()
    assert "unchanged" in dpd("lock", "dev").out
    assert (locked.parent / "locks" / "dev.json").read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        ("accelerator_zones: [usw2-az2]", "accelerator_zones: [usw2-az3]", "hyperpod-cluster subnet"),
        ("network:\n", "network:\n  cidr: 10.77.0.0/16\n", "vpc"),
        ("operator:", "storage: {own_kms_keys: true}\noperator:", "eks-cluster secrets key"),
        ("region: us-west-2", "region: us-west-1", "region"),
        (
            "decode: {instance_type: ml.p5.48xlarge, count: 1}",
            "decode: {instance_type: ml.p5.48xlarge, count: 1, capacity: spot}",
            "instance-group decode capacity",
        ),
        (
            "system: {instance_type: ml.m5.4xlarge",
            "system: {instance_type: ml.m5.8xlarge",
            "instance-group system type",
        ),
        (
            "prefill: {instance_type: ml.p5.48xlarge",
            "prefill: {threads_per_core: 1, instance_type: ml.p5.48xlarge",
            "instance-group prefill threads per core",
        ),
        (
            "system: {instance_type: ml.m5.4xlarge",
            "system: {alternatives: [ml.m5.8xlarge], instance_type: ml.m5.4xlarge",
            "instance-group system type",
        ),
        (
            "cluster:\n",
            "roles: {nodes: 'arn:aws:iam::111122223333:role/ours'}\ncluster:\n",
            "instance-group decode role",
        ),
        ("cluster:\n", 'cluster:\n  kubernetes_version: "1.32"\n', "kubernetes version"),
        ("cluster:\n", 'cluster:\n  kubernetes_version: "1.35"\n', "kubernetes version"),
        ("control_plane_zones: [usw2-az1,", "control_plane_zones: [usw2-az3,", "control-plane zones"),
        ('release: "3.4"', 'release: "3.3"', "operator release"),
    ],
)
def test_a_change_of_a_locked_fact_is_refused_by_name(locked: Path, old: str, new: str, fact: str) -> None:
    change(locked, old, new)
    outcome = dpd("check", str(locked))
    assert outcome.status == 1
    assert f"'{fact}' is deployed as" in outcome.out + outcome.err
    with pytest.raises(InvalidEnvironment, match="cannot change in place"):
        resolve(load_environment(locked))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "prefill: {instance_type: ml.p5.48xlarge, count: 1}",
            "prefill: {instance_type: ml.p5.48xlarge, count: 4}",
        ),
        ("accelerator_zones: [usw2-az2]", "accelerator_zones: [usw2-az2, usw2-az3]"),
        ('release: "3.4"', 'release: "3.5"'),
        ("cluster:\n", 'cluster:\n  kubernetes_version: "1.34"\n'),
    ],
)
def test_what_can_change_in_place_is_not_held_up(locked: Path, old: str, new: str) -> None:
    text = locked.read_text(encoding="utf-8").replace(old, new)
    if "usw2-az3" in new:
        text = text.replace("xlarge, count: ", "xlarge, zone: usw2-az2, count: ")
    locked.write_text(text, encoding="utf-8")
    resolve(load_environment(locked))


def test_a_group_that_cannot_change_has_a_way_round_it(locked: Path) -> None:
    change(locked, "prefill: {instance_type: ml.p5.48xlarge", "prefill: {instance_type: ml.p5en.48xlarge")
    with pytest.raises(InvalidEnvironment) as refused:
        resolve(load_environment(locked))
    (fix,) = [fault.fix for fault in refused.value.faults if "prefill type" in fault.message]
    for step in ("'prefill-2'", "dev/hyperpod", "dpd nodes dev --wait", "dpd lock dev"):
        assert step in fix


def test_a_reason_lets_it_pass_and_a_needless_one_is_refused(locked: Path) -> None:
    allow = "allow_replacement: {'eks-cluster secrets key': new compliance rule; the cluster is rebuilt}\n"
    change(locked, "operator:", f"storage: {{own_kms_keys: true}}\n{allow}operator:")
    resolve(load_environment(locked))
    assert dpd("lock", "dev").status == 0
    with pytest.raises(InvalidEnvironment, match="would be replaced"):
        resolve(load_environment(locked))


def test_production_is_protected_once_it_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ENVIRONMENTS, tmp_path / "environments")
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "environments" / "prod.yaml"
    assert not resolve(load_environment(file)).protected
    assert dpd("lock", "prod").status == 0
    assert resolve(load_environment(file)).protected


def test_locking_leaves_image_digests_alone(locked: Path) -> None:
    file = locked.parent / "locks" / "dev.json"
    images = {"registry.example/vllm:1": {"digest": f"sha256:{'a' * 64}"}}
    file.write_text(json.dumps({**json.loads(file.read_text()), "images": images}), encoding="utf-8")
    assert dpd("lock", "dev", "-q").status == 0
    assert json.loads(file.read_text(encoding="utf-8"))["images"] == images


def test_logical_ids_that_vanish_are_named() -> None:
    def template(*ids: str) -> dict[str, Any]:
        return {"Resources": {logical: {"Type": "AWS::S3::Bucket"} for logical in ids}}

    ids = logical_ids({"dpd-dev-storage": template("Models", "Tls")})
    assert ids == {"dpd-dev-storage AWS::S3::Bucket": ["Models", "Tls"]}
    lock = Immutable(logical_ids=ids)
    assert gone(lock, {"dpd-dev-storage": template("Models", "Tls", "More")}) == {}
    assert gone(lock, {"dpd-dev-storage": template("Models")}) == {"dpd-dev-storage AWS::S3::Bucket": ["Tls"]}
    assert gone(lock, {}) == ids


def test_facts_are_texts_of_every_example() -> None:
    for path in sorted(ENVIRONMENTS.glob("*.yaml")):
        told = facts(resolve(load_environment(path)))
        assert list(told) == sorted(told)
        assert all(isinstance(value, str) and value for value in told.values())
