"""The token's rotation against stand-ins for Grafana and Secrets Manager, as the template's text runs it."""

from __future__ import annotations

import runpy
from typing import Any

import pytest

from infra.functions import GRAFANA_TOKEN, text


class Grafana:
    def __init__(self) -> None:
        self.accounts: list[dict[str, str]] = []
        self.tokens: dict[str, dict[str, Any]] = {}
        self.made = 0

    def list_workspace_service_accounts(self, **_: Any) -> dict[str, Any]:
        return {"serviceAccounts": self.accounts}

    def create_workspace_service_account(self, **given: Any) -> dict[str, Any]:
        self.accounts.append({"id": "1", "name": given["name"]})
        return self.accounts[-1]

    def list_workspace_service_account_tokens(self, **_: Any) -> dict[str, Any]:
        return {"serviceAccountTokens": [{"id": i, "name": t["name"]} for i, t in self.tokens.items()]}

    def create_workspace_service_account_token(self, **given: Any) -> dict[str, Any]:
        self.made += 1
        self.tokens[str(self.made)] = given
        return {"serviceAccountToken": {"key": f"key-{self.made}"}}

    def delete_workspace_service_account_token(self, **given: Any) -> None:
        del self.tokens[given["tokenId"]]


class Missing(Exception):
    pass


class Secrets:
    class exceptions:
        ResourceNotFoundException = Missing

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.stages: dict[str, list[str]] = {}

    def describe_secret(self, **_: Any) -> dict[str, Any]:
        return {"VersionIdsToStages": {key: list(names) for key, names in self.stages.items()}}

    def get_secret_value(self, **given: Any) -> dict[str, Any]:
        if given["VersionId"] not in self.values:
            raise Missing
        return {"VersionStages": self.stages[given["VersionId"]]}

    def put_secret_value(self, **given: Any) -> None:
        self.values[given["ClientRequestToken"]] = given["SecretString"]
        self.stages[given["ClientRequestToken"]] = given["VersionStages"]

    def update_secret_version_stage(self, **given: Any) -> None:
        if old := given.get("RemoveFromVersionId"):
            self.stages[old] = ["AWSPREVIOUS"]
        self.stages[given["MoveToVersionId"]] = ["AWSCURRENT"]


def rotate(grafana: Grafana, secrets: Secrets, version: str, *, twice: bool = False) -> None:
    handler = runpy.run_path(str(GRAFANA_TOKEN))["handler"]
    secrets.stages.setdefault(version, ["AWSPENDING"])
    for step in ("createSecret", "setSecret", "testSecret", "finishSecret"):
        for _ in range(2 if twice else 1):
            event = {"SecretId": "s", "ClientRequestToken": version, "Step": step}
            handler(event, None, grafana, secrets)


def test_a_new_token_each_time_and_the_last_one_stays_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_ID", "g-1")
    monkeypatch.setenv("TOKEN_DAYS", "30")
    grafana, secrets = Grafana(), Secrets()
    for version in ("aaaaaaaa-1", "bbbbbbbb-2", "cccccccc-3"):
        rotate(grafana, secrets, version)
    assert secrets.values == {"aaaaaaaa-1": "key-1", "bbbbbbbb-2": "key-2", "cccccccc-3": "key-3"}
    assert [key for key, names in secrets.stages.items() if "AWSCURRENT" in names] == ["cccccccc-3"]
    assert len(grafana.accounts) == 1
    assert {t["name"] for t in grafana.tokens.values()} == {
        "dpd-dashboards-bbbbbbbb",
        "dpd-dashboards-cccccccc",
    }
    assert {t["secondsToLive"] for t in grafana.tokens.values()} == {30 * 86400}


def test_steps_that_come_twice_make_one_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_ID", "g-1")
    monkeypatch.setenv("TOKEN_DAYS", "30")
    grafana, secrets = Grafana(), Secrets()
    rotate(grafana, secrets, "aaaaaaaa-1", twice=True)
    assert grafana.made == 1 and secrets.values == {"aaaaaaaa-1": "key-1"}


def test_it_fits_into_a_template() -> None:
    assert len(text(GRAFANA_TOKEN)) <= 4096
