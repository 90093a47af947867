"""Which secrets the External Secrets controller reads for an environment, if any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.cloud import ExternalSecretsPlan

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.watching import ObservabilityPlan
    from hyperpod_dpd.config import LoadedEnvironment


def secrets_read(loaded: LoadedEnvironment, watching: ObservabilityPlan) -> set[str]:
    """Names and ARNs in Secrets Manager of all that the manifests fetch, now or once the workspaces stand."""
    secrets = {remote.name for each in loaded.environment.secrets.values() for remote in each.keys.values()}
    if _reads_grafana_token(loaded, watching):
        secrets.add(names.grafana_token_secret(loaded.name))
    return secrets


def plan_external_secrets(
    loaded: LoadedEnvironment, watching: ObservabilityPlan
) -> ExternalSecretsPlan | None:
    """None where nothing is read, or where the controller has its rights already."""
    environment = loaded.environment
    controller = environment.platform.external_secrets
    secrets = secrets_read(loaded, watching)
    if not secrets or not controller.identity:
        return None
    return ExternalSecretsPlan(
        namespace=controller.namespace,
        service_account=controller.service_account,
        secrets=tuple(sorted(secrets)),
        key_arns=tuple(controller.kms_key_arns),
        own_key=environment.storage.own_kms_keys and _reads_grafana_token(loaded, watching),
    )


def _reads_grafana_token(loaded: LoadedEnvironment, watching: ObservabilityPlan) -> bool:
    """Whether grafana-operator will sign in to a workspace of ours: with endpoints to show, and a token to fetch."""
    return watching.managed_grafana and watching.grafana_operator and bool(loaded.environment.endpoints)
