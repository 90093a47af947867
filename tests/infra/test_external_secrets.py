"""External Secrets: its controller reads the secrets of its environment, decrypts those, and does nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.cloud import ExternalSecretsPlan
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_document
from hyperpod_dpd.document import Document
from tests.infra import blueprints
from tests.infra.conftest import EXAMPLES, Synthesised, synthesise
from tests.infra.test_least_privilege import Role, flat, may
from tests.infra.test_roles import trust
from tests.support.documents import ENVIRONMENTS, environment
from tests.support.merging import merged

READ = "secretsmanager:GetSecretValue"
ELSEWHERE_KEY = "arn:aws:kms:us-west-2:111122223333:key/0f0e0d0c"
ELSEWHERE = "arn:aws:secretsmanager:us-west-2:999999999999:secret:shared/token-a1B2c3"


def arn(made: Synthesised, name: str, suffix: str = "-AbC123") -> str:
    plan = made.blueprint
    return f"arn:aws:secretsmanager:{plan.region}:{plan.account}:secret:{name}{suffix}"


def planned(changes: dict[str, Any], base: str = "dev") -> ExternalSecretsPlan | None:
    path = ENVIRONMENTS / f"{base}.yaml"
    return resolve(
        load_document(Document(merged(environment(base), changes), str(path)), path)
    ).external_secrets


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Synthesised:
    """A controller with another name, secrets by name and by ARN, and keys of somebody's."""
    plan = ExternalSecretsPlan(
        namespace="platform",
        service_account="eso",
        secrets=(ELSEWHERE, "llm/hugging-face"),
        key_arns=(ELSEWHERE_KEY,),
        own_key=False,
    )
    made = replace(blueprints.blueprint("given"), external_secrets=plan)
    return synthesise([made], tmp_path_factory.mktemp("given") / "out")["given"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_reads_exactly_the_secrets_that_the_manifests_name(
    environments: dict[str, Synthesised], name: str
) -> None:
    made = environments[name]
    role = Role(made, "ExternalSecrets")
    wanted = {remote for secret in made.blueprint.apps.secrets for remote, _ in secret.keys.values()}
    if made.resources("AWS::SecretsManager::Secret"):
        wanted.add(names.grafana_token_secret(name))
    assert wanted
    for secret in wanted:
        assert role.may(READ, arn(made, secret))
        assert not role.may("secretsmanager:PutSecretValue", arn(made, secret))
        assert not role.may("secretsmanager:DeleteSecret", arn(made, secret))
        assert not role.may(READ, arn(made, f"{secret}-other"))
        assert not role.may(READ, arn(made, secret).replace(made.blueprint.account, "999999999999"))
    assert not role.may(READ, arn(made, f"dpd/another-{name}/grafana-token"))
    assert not role.may("secretsmanager:ListSecrets", "*")
    named = {r for s in role.own if READ in s["Action"] for r in s["Resource"]}
    assert named == {arn(made, secret, "-??????") for secret in wanted}


def test_the_association_names_the_controller(given: Synthesised, plain: Synthesised) -> None:
    (association,) = [
        a
        for a in given.properties("AWS::EKS::PodIdentityAssociation")
        if "ExternalSecrets" in str(a["RoleArn"])
    ]
    assert (association["Namespace"], association["ServiceAccount"]) == ("platform", "eso")
    (statement,) = trust(Role(given, "ExternalSecrets").resource)
    assert statement["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    assert set(statement["Action"]) == {"sts:AssumeRole", "sts:TagSession"}
    assert not [k for k in plain.resources("AWS::IAM::Role") if "ExternalSecrets" in k], "nothing needs it"


def test_keys_decrypt_those_secrets_through_secrets_manager_only(given: Synthesised) -> None:
    role = Role(given, "ExternalSecrets")
    through = {
        "kms:ViaService": "secretsmanager.us-west-2.amazonaws.com",
        "kms:EncryptionContext:SecretARN": arn(given, "llm/hugging-face"),
    }
    assert role.may(READ, ELSEWHERE)
    assert not role.may(READ, ELSEWHERE.replace("a1B2c3", "a1B2c4")), "an ARN is one secret"
    assert may(role, "kms:Decrypt", ELSEWHERE_KEY, through)
    assert may(role, "kms:Decrypt", ELSEWHERE_KEY, {**through, "kms:EncryptionContext:SecretARN": ELSEWHERE})
    for action, key, context in (
        ("kms:Decrypt", ELSEWHERE_KEY, {}),
        ("kms:Decrypt", "arn:aws:kms:us-west-2:111122223333:key/another", through),
        ("kms:Decrypt", ELSEWHERE_KEY, {**through, "kms:ViaService": "s3.us-west-2.amazonaws.com"}),
        (
            "kms:Decrypt",
            ELSEWHERE_KEY,
            {**through, "kms:EncryptionContext:SecretARN": arn(given, "another")},
        ),
        ("kms:GenerateDataKey", ELSEWHERE_KEY, through),
    ):
        assert not may(role, action, key, context), f"{action} on {key} with {context}"


def test_the_environments_own_key_encrypts_the_token_and_opens_it_again(
    environments: dict[str, Synthesised],
) -> None:
    prod, dev = environments["prod"], environments["dev"]
    (secret,) = prod.properties("AWS::SecretsManager::Secret")
    key = flat(secret["KmsKeyId"])
    context = {
        "kms:ViaService": "secretsmanager.us-west-2.amazonaws.com",
        "kms:EncryptionContext:SecretARN": arn(prod, names.grafana_token_secret("prod")),
    }
    assert "data" in key
    assert may(Role(prod, "ExternalSecrets"), "kms:Decrypt", key, context)
    rotation = Role(prod, "GrafanaToken")
    assert may(rotation, "kms:Decrypt", key, context)
    assert may(rotation, "kms:GenerateDataKey", key, context)
    assert not may(rotation, "kms:Decrypt", key, {})
    assert "KmsKeyId" not in dev.one("AWS::SecretsManager::Secret")["Properties"]
    assert not [s for s in Role(dev, "ExternalSecrets").own if "kms:Decrypt" in s["Action"]]


@pytest.mark.parametrize(
    "changes",
    [
        {"observability": {"grafana": "none"}},
        {"observability": {"grafana_operator": False}},
        {"observability": {"enabled": False}},
        {"platform": {"external_secrets": {"identity": False}}},
    ],
)
def test_without_need_there_is_no_role(changes: dict[str, Any]) -> None:
    assert planned(changes) is None


def test_a_secret_of_the_document_needs_it_also_without_grafana() -> None:
    secrets = {"hugging-face": {"keys": {"token": {"name": "llm/hf", "property": "token"}}}}
    plan = planned({"observability": {"enabled": False}, "secrets": secrets})
    assert plan == ExternalSecretsPlan(
        namespace="external-secrets",
        service_account="external-secrets",
        secrets=("llm/hf",),
        key_arns=(),
        own_key=False,
    )


def test_it_is_made_for_what_the_manifests_will_fetch_once_the_workspace_stands(tmp_path: Path) -> None:
    """The role comes with the cloud side, before the URL without which the ExternalSecret is left out."""
    from k8s.rendering import render

    for base in ("dev", "prod"):
        path = ENVIRONMENTS / f"{base}.yaml"
        blueprint = resolve(load_document(Document(environment(base), str(path)), path))
        assert blueprint.observability is not None and blueprint.external_secrets is not None
        stands = replace(
            blueprint.observability, grafana_url="https://g-1.grafana-workspace.us-west-2.amazonaws.com"
        )
        rendered = render(replace(blueprint, observability=stands))
        fetched = {
            item["remoteRef"]["key"]
            for app in rendered.apps
            for o in app.objects
            if o["kind"] == "ExternalSecret"
            for item in o["spec"]["data"]
        }
        assert fetched == set(blueprint.external_secrets.secrets)
