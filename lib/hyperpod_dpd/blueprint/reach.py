"""Which AWS services an environment's nodes and pods call, for a network in which each needs an endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint.external_secrets import secrets_read
from hyperpod_dpd.catalog.requirements import endpoint_services

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.watching import ObservabilityPlan
    from hyperpod_dpd.catalog.requirements import Feature
    from hyperpod_dpd.config import LoadedEnvironment


def services_called(loaded: LoadedEnvironment, watching: ObservabilityPlan) -> tuple[str, ...]:
    """Services by the last part of their endpoints' names, in the catalogue's order; none in an open network."""
    if not loaded.environment.network.closed:
        return ()
    features = _features(loaded, watching)
    return tuple(each.service for each in endpoint_services() if each.when in features)


def _features(loaded: LoadedEnvironment, watching: ObservabilityPlan) -> set[Feature]:
    environment = loaded.environment
    endpoints = environment.endpoints.values()
    scales = any(role.autoscaling for each in endpoints for role in (each.prefill, each.decode))
    found: set[Feature] = {"always"}
    if environment.storage.file_system is not None or any(e.model.weights.fsx for e in endpoints):
        found.add("file-system")
    if watching.enabled or scales:
        found.add("prometheus")
    if watching.managed_grafana and watching.grafana_operator:
        found.add("managed-grafana")
    if secrets_read(loaded, watching):
        found.add("external-secrets")
    return found
