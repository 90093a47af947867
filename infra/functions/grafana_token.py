"""Renews the token of grafana-operator: the four steps of a Secrets Manager rotation."""

from __future__ import annotations

import os
import time
from typing import Any

ACCOUNT = "dpd-dashboards"


def handler(event: dict[str, Any], _: Any, grafana: Any = None, secrets: Any = None) -> None:
    """One step of a rotation; a step that comes twice does nothing the second time."""
    if grafana is None or secrets is None:
        from boto3 import client

        grafana, secrets = client("grafana"), client("secretsmanager")
    secret, version = event["SecretId"], event["ClientRequestToken"]
    stages = secrets.describe_secret(SecretId=secret)["VersionIdsToStages"]
    if event["Step"] == "createSecret" and "AWSPENDING" not in _filled(secrets, secret, version):
        secrets.put_secret_value(
            SecretId=secret,
            ClientRequestToken=version,
            SecretString=_new_token(grafana, version),
            VersionStages=["AWSPENDING"],
        )
    if event["Step"] == "finishSecret" and "AWSCURRENT" not in stages.get(version, []):
        old = next((key for key, names in stages.items() if "AWSCURRENT" in names), None)
        move = {"RemoveFromVersionId": old} if old else {}
        secrets.update_secret_version_stage(
            SecretId=secret, VersionStage="AWSCURRENT", MoveToVersionId=version, **move
        )
        _drop_old_tokens(grafana, {_name(version), _name(old or "")})


def _filled(secrets: Any, secret: str, version: str) -> list[str]:
    """Stages of the version if it holds a value already."""
    try:
        found = secrets.get_secret_value(SecretId=secret, VersionId=version, VersionStage="AWSPENDING")
    except secrets.exceptions.ResourceNotFoundException:
        return []
    return list(found["VersionStages"])


def _name(version: str) -> str:
    return f"{ACCOUNT}-{version[:8]}"


def _place(grafana: Any) -> dict[str, str]:
    """Workspace and service account, made on first use."""
    workspace = os.environ["WORKSPACE_ID"]
    accounts = grafana.list_workspace_service_accounts(workspaceId=workspace)["serviceAccounts"]
    for account in accounts:
        if account["name"] == ACCOUNT:
            return {"workspaceId": workspace, "serviceAccountId": account["id"]}
    made = grafana.create_workspace_service_account(workspaceId=workspace, name=ACCOUNT, grafanaRole="ADMIN")
    return {"workspaceId": workspace, "serviceAccountId": made["id"]}


def _new_token(grafana: Any, version: str) -> str:
    """A token of full life; one of the same name was left by a try that failed and is useless."""
    place = _place(grafana)
    for token in grafana.list_workspace_service_account_tokens(**place)["serviceAccountTokens"]:
        if token["name"] == _name(version):
            grafana.delete_workspace_service_account_token(tokenId=token["id"], **place)
    made = grafana.create_workspace_service_account_token(
        name=_name(version), secondsToLive=int(os.environ["TOKEN_DAYS"]) * 86400, **place
    )
    key: str = made["serviceAccountToken"]["key"]
    return key


def _drop_old_tokens(grafana: Any, keep: set[str]) -> None:
    """The one before stays valid until External Secrets has fetched the new one."""
    place = _place(grafana)
    for token in grafana.list_workspace_service_account_tokens(**place)["serviceAccountTokens"]:
        if token["name"] not in keep:
            grafana.delete_workspace_service_account_token(tokenId=token["id"], **place)
            time.sleep(0.2)
