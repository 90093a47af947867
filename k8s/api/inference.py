"""The custom resource of the HyperPod inference operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from constructs import Construct

from hyperpod_dpd.iec.endpoint import API_VERSION, KIND
from k8s.api.manifest import Manifest


class InferenceEndpointConfig(Manifest):
    """One endpoint as the operator gets it; every field comes from ``hyperpod_dpd.iec``."""

    def __init__(self, scope: Construct, id: str, *, manifest: Mapping[str, Any]) -> None:
        """Raises ValueError for an object of another kind."""
        if (manifest["apiVersion"], manifest["kind"]) != (API_VERSION, KIND):
            raise ValueError(f"{manifest['apiVersion']} {manifest['kind']} is not an {API_VERSION} {KIND}")
        super().__init__(scope, id, manifest=manifest)
