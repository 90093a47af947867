"""An EKS cluster that somebody else owns, described by what its owner can read off the console."""

from __future__ import annotations

from pydantic import Field

from hyperpod_dpd.config.base import Section


class ExistingCluster(Section):
    """EKS cluster to join, named so that synthesis looks nothing up. Its API must accept access entries."""

    name: str = Field(pattern=r"^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$", description="Name of the EKS cluster.")
    oidc_issuer: str = Field(
        pattern=r"^https://[a-z0-9.-]+/id/[A-Z0-9]+$", description="Its OpenID Connect issuer URL."
    )
    create_oidc_provider: bool = Field(
        False, description="True where the account has no IAM OIDC provider for that issuer yet."
    )
    security_group_id: str = Field(
        pattern=r"^sg-[0-9a-f]{8,17}$", description="The cluster security group; the nodes talk to it."
    )
    addons: list[str] = Field(
        default_factory=list, description="EKS add-ons that are installed already and stay their owner's."
    )
