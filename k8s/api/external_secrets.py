"""The two custom resources of External Secrets that we emit; values stay in Secrets Manager."""

from __future__ import annotations

from collections.abc import Mapping

from constructs import Construct

from hyperpod_dpd.catalog import tools
from k8s.api.manifest import add


def secret_store(scope: Construct, *, name: str, namespace: str, region: str) -> None:
    """Without ``auth``, the controller's own Pod Identity is used: no credential appears here."""
    add(
        scope,
        {
            "apiVersion": _api(),
            "kind": "SecretStore",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"provider": {"aws": {"service": "SecretsManager", "region": region}}},
        },
    )


def external_secret(
    scope: Construct,
    *,
    name: str,
    namespace: str,
    store: str,
    refresh: str,
    keys: Mapping[str, tuple[str, str | None]],
) -> None:
    """``keys`` maps each key of the Secret to (name in Secrets Manager, property of its JSON or None)."""
    data = []
    for key, (remote, prop) in keys.items():
        reference = {"key": remote, **({"property": prop} if prop else {})}
        data.append({"secretKey": key, "remoteRef": reference})
    add(
        scope,
        {
            "apiVersion": _api(),
            "kind": "ExternalSecret",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {
                "refreshInterval": refresh,
                "secretStoreRef": {"kind": "SecretStore", "name": store},
                "target": {"name": name, "creationPolicy": "Owner", "deletionPolicy": "Retain"},
                "data": data,
            },
        },
    )


def _api() -> str:
    return str(tools.value("external_secrets_api").value)
