"""What the document names of somebody else's, the roles may use; nothing beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.blueprint import names
from tests.infra.conftest import Synthesised, synthesise
from tests.infra.iam_evaluator import allows
from tests.infra.test_least_privilege import Role, may
from tests.infra.test_stacks import made_from

KEY = "arn:aws:kms:us-west-2:{}:key/{}"
MODELS, SCRIPTS, TLS = (KEY.format("111122223333", each) for each in ("models", "scripts", "tls"))
WEIGHTS = KEY.format("444455556666", "weights")
THROUGH_S3 = {"kms:ViaService": "s3.us-west-2.amazonaws.com"}
FRAGMENT: dict[str, Any] = {
    "storage": {
        "existing_buckets": {
            "models": {"name": "their-models", "kms_key_arn": MODELS},
            "lifecycle": {"name": "sagemaker-scripts", "kms_key_arn": SCRIPTS},
            "tls": {"name": "hyperpod-tls-theirs", "kms_key_arn": TLS},
        }
    },
    "images": {"worker": {"repository": "444455556666.dkr.ecr.eu-west-1.amazonaws.com/ml/vllm", "tag": "v1"}},
    "endpoints": {
        "llama-70b": {
            "model": {
                "weights": {"s3": {"prefix": "llama", "bucket": "team-weights", "kms_key_arn": WEIGHTS}}
            }
        }
    },
}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Synthesised:
    """Buckets with their owners' keys, and an image of another account and Region."""
    folder = tmp_path_factory.mktemp("named")
    made = made_from(FRAGMENT, folder, "named", "dev")
    return synthesise([made], folder / "out", builtin_cloud_formation_validation=False)["named"]


def driver(named: Synthesised) -> Role:
    return Role(named, "S3DriverRole")


def test_the_driver_reads_the_model_bucket_and_the_one_an_endpoint_names(named: Synthesised) -> None:
    role = driver(named)
    for bucket in ("their-models", "team-weights"):
        assert role.may("s3:GetObject", f"arn:aws:s3:::{bucket}/llama/config.json")
        assert role.may("s3:ListBucket", f"arn:aws:s3:::{bucket}")
        assert not role.may("s3:PutObject", f"arn:aws:s3:::{bucket}/llama/config.json")
    assert not role.may("s3:GetObject", "arn:aws:s3:::team-weights-2/llama/config.json")


@pytest.mark.parametrize("key", [MODELS, WEIGHTS])
def test_the_driver_decrypts_with_the_owners_keys_through_s3_only(named: Synthesised, key: str) -> None:
    role = driver(named)
    assert may(role, "kms:Decrypt", key, THROUGH_S3)
    assert not may(role, "kms:Decrypt", key, {"kms:ViaService": "ec2.us-west-2.amazonaws.com"})
    assert not may(role, "kms:GenerateDataKey", key, THROUGH_S3)
    assert not may(role, "kms:Decrypt", SCRIPTS, THROUGH_S3)


def test_nodes_read_scripts_with_their_key_and_pull_the_one_repository_elsewhere(named: Synthesised) -> None:
    plan = named.blueprint
    role = Role(named, names.node_role(plan.name, plan.region))
    assert may(role, "kms:Decrypt", SCRIPTS, THROUGH_S3)
    assert not may(role, "kms:Decrypt", MODELS, THROUGH_S3)
    repository = "arn:aws:ecr:eu-west-1:444455556666:repository/ml/vllm"
    for action in ("ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer", "ecr:BatchCheckLayerAvailability"):
        assert role.may(action, repository)
        assert not allows(role.own, action, f"{repository}-2")
    assert not role.may("ecr:PutImage", repository)


def test_the_operator_writes_certificates_with_the_key_of_their_bucket(named: Synthesised) -> None:
    role = Role(named, named.blueprint.operator.role_name)
    assert may(role, "kms:GenerateDataKey", TLS, THROUGH_S3)
    assert not allows(role.own, "kms:GenerateDataKey", MODELS, THROUGH_S3)


def test_what_only_the_owners_can_allow_is_said(named: Synthesised) -> None:
    notes = {note.subject: note.message for note in named.blueprint.notes}
    assert "another account" in notes["endpoints.llama-70b.model.weights.s3"]
    assert "444455556666" in notes["images"]
    assert "storage.existing_buckets.models" not in notes, "its key is of this account"


def test_given_roles_are_told_what_to_be_granted(tmp_path: Path) -> None:
    roles = {key: f"arn:aws:iam::111122223333:role/{key}" for key in ("nodes", "s3_driver")}
    blueprint = made_from({**FRAGMENT, "roles": roles}, tmp_path, "given", "dev")
    notes = {note.subject: note.message for note in blueprint.notes}
    assert "their-models, team-weights" in notes["roles.s3_driver"]
    assert "ml/vllm" in notes["roles.nodes"]


def test_a_name_alone_is_a_bucket_without_a_key(tmp_path: Path) -> None:
    plain = {"storage": {"existing_buckets": {"models": "their-models"}}}
    blueprint = made_from(plain, tmp_path, "plain", "dev")
    assert blueprint.buckets.models == "their-models"
    assert json.dumps(dict(blueprint.buckets.key_arns)) == "{}"
