"""Kubernetes' own kinds, with the few fields that we set."""

from __future__ import annotations

from constructs import Construct

from k8s.api.manifest import Manifest


class Namespace(Manifest):
    """A namespace that holds endpoints."""

    def __init__(self, scope: Construct, id: str, *, name: str) -> None:
        super().__init__(
            scope, id, manifest={"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        )


class ServiceAccount(Manifest):
    """An identity for pods; ``api_token`` says whether they may talk to the Kubernetes API."""

    def __init__(self, scope: Construct, id: str, *, name: str, namespace: str, api_token: bool) -> None:
        super().__init__(
            scope,
            id,
            manifest={
                "apiVersion": "v1",
                "kind": "ServiceAccount",
                "metadata": {"name": name, "namespace": namespace},
                "automountServiceAccountToken": api_token,
            },
        )
