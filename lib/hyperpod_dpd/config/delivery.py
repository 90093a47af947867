"""How the rendered tree reaches the cluster, and where the operator's Helm chart comes from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hyperpod_dpd.config.base import ResourceName, Section
from hyperpod_dpd.config.managed_delivery import IdentityCenter

RepositoryUrl = Field(
    None,
    pattern=r"^(https://([A-Za-z0-9._~%:+-]+@)?|ssh://([A-Za-z0-9._~%:+-]+@)?|git@)[A-Za-z0-9][A-Za-z0-9._~:/+%-]*$",
    description="Git repository, without credentials.",
)

FOLDER = r"^[A-Za-z0-9._@+][A-Za-z0-9._@+-]*(/[A-Za-z0-9._@+-]+)*/?$"
"""A folder of a repository: it stands in shell lines of plans and runbooks."""


class Delivery(Section):
    """Who applies dist/<environment>: kubectl by hand, Argo CD (EKS capability or your own), or Flux."""

    kind: Literal["kubectl", "argocd", "argocd-managed", "flux"] = Field(
        "kubectl", description="What applies the manifests."
    )
    repository: str | None = RepositoryUrl
    revision: str = Field("main", min_length=1, description="Branch, tag or commit.")
    path: str = Field(
        "dist", pattern=FOLDER, description="Folder of the repository that holds <environment>/<app>."
    )
    namespace: ResourceName | None = Field(
        None, description="Of the controller. Default: argocd, or flux-system for Flux."
    )
    project: ResourceName | None = Field(None, description="Argo CD project. Default: dpd-<environment>.")
    identity_center: IdentityCenter | None = Field(None, description="Needed for argocd-managed.")
    credentials_secret: ResourceName | None = Field(
        None, description="Existing Secret with the repository's credentials (Flux), by name."
    )
    prune: bool = Field(True, description="Remove what is no longer rendered.")
    self_heal: bool = Field(True, description="Undo changes made past the repository (Argo CD).")


class Chart(Section):
    """The operator's Helm chart, pinned by commit; only for ``operator.install: helm``."""

    commit: str = Field(pattern=r"^[0-9a-f]{40}$", description="Commit of the chart's repository.")
    repository: str | None = RepositoryUrl
    path: str | None = Field(
        None, pattern=FOLDER, description="Folder of the chart. Default: the catalogue's."
    )
