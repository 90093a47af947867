"""Names that only the blueprint knows, and that two parts of a document would both give: refused before synthesis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.config.fault import Complaint, Fault, faults_of

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.document import Path

OURS = (names.PRE_PULL_NAMESPACE, names.WATCH_NAMESPACE)
"""Namespaces that we make for ourselves, with guard rails that no endpoint's pods pass."""


def collision_faults(loaded: LoadedEnvironment) -> list[Fault]:
    """Every name of the document that ours, or another of its names, has taken."""
    return faults_of(loaded.document, (*_namespaces(loaded), *_volumes(loaded), *_job_roles(loaded)))


def _namespaces(loaded: LoadedEnvironment) -> Iterator[Complaint]:
    environment = loaded.environment
    used: list[tuple[Path, str]] = [
        (("endpoints", name, "namespace"), endpoint.namespace)
        for name, endpoint in environment.endpoints.items()
    ]
    used += [
        (("secrets", name, "namespace"), secret.namespace) for name, secret in environment.secrets.items()
    ]
    for path, namespace in used:
        if namespace in OURS:
            yield path, f"'{namespace}' holds what we run ourselves", "choose another namespace"


def _volumes(loaded: LoadedEnvironment) -> Iterator[Complaint]:
    """A persistent volume has no namespace: its name joins those of namespace and claim."""
    taken: dict[str, tuple[str, str]] = {}
    claims: list[tuple[Path, tuple[str, str]]] = [
        (("endpoints", name, "model", "weights", "volume", "claim"), (endpoint.namespace, volume.claim))
        for name, endpoint in loaded.environment.endpoints.items()
        if (volume := endpoint.model.weights.volume) and volume.host_path
    ]
    if loaded.environment.storage.file_system is not None:
        claims += [
            (("endpoints", name, "namespace"), (endpoint.namespace, names.FILE_SYSTEM_CLAIM))
            for name, endpoint in loaded.environment.endpoints.items()
        ]
    for path, claim in claims:
        volume_name = names.static_volume(*claim)
        other = taken.setdefault(volume_name, claim)
        if other != claim:
            message = (
                f"claim {'/'.join(claim)} and claim {'/'.join(other)} would both have volume {volume_name}"
            )
            yield path, message, "rename one of them"


def _job_roles(loaded: LoadedEnvironment) -> Iterator[Complaint]:
    """The role of a Job is named by namespace and service account together."""
    taken: dict[str, tuple[str, str]] = {}
    for name, endpoint in loaded.environment.endpoints.items():
        accounts = []
        if endpoint.model.weights.staging is not None:
            accounts.append(names.staging_service_account(name))
        if endpoint.benchmark is not None:
            accounts.append(names.benchmark_service_account(name))
        for account in accounts:
            identity = (endpoint.namespace, account)
            other = taken.setdefault("-".join(identity), identity)
            if other != identity:
                message = f"the Jobs of {'/'.join(identity)} and of {'/'.join(other)} would share a role"
                yield ("endpoints", name), message, "rename the endpoint or its namespace"
