"""What HyperPod needs in the cluster before its first node joins: one Helm chart of AWS's."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from hyperpod_dpd.config.base import ResourceName, Section
from hyperpod_dpd.config.delivery import Chart


class Dependencies(Section):
    """Health monitoring agent, device plugins and the like; Argo CD or Flux installs them, or Helm by hand."""

    install: bool = Field(True, description="False where the cluster's owner has installed them.")
    chart: Chart | None = Field(None, description="Default: the catalogue's commit.")
    release: ResourceName = Field("hyperpod-dependencies", description="Release of the chart.")
    namespace: ResourceName = Field("kube-system", description="Namespace of the chart.")
    values: dict[str, Any] = Field(
        default_factory=dict,
        description="Helm values, laid over ours: what inference needs and nothing else.",
    )
