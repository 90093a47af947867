"""Facts that exist only after a deployment, pulled into environments/outputs/<env>.yaml and committed."""

from __future__ import annotations

from pydantic import Field

from hyperpod_dpd.config.base import RoleArn, Section


class FileSystemOutput(Section):
    """The FSx for Lustre file system as deployed."""

    id: str = Field(pattern=r"^fs-[0-9a-f]{8,17}$")
    dns_name: str | None = None
    mount_name: str | None = None


class Outputs(Section):
    """Late-bound facts; an object that needs a missing one is left out and named in a note."""

    file_system: FileSystemOutput | None = None
    zone_names: dict[str, str] = Field(
        default_factory=dict, description="Zone id to this account's zone name."
    )
    prometheus_url: str | None = Field(None, description="AMP workspace, without a trailing path.")
    grafana_url: str | None = Field(
        None, pattern=r"^https://[^/\s]+$", description="Managed Grafana workspace, without a trailing slash."
    )
    load_balancer_role_arn: RoleArn | None = Field(None, description="For a Helm install of the operator.")
    autoscaler_role_arn: RoleArn | None = Field(None, description="For a Helm install of the operator.")
    vpc_id: str | None = None
    hyperpod_cluster_arn: str | None = None
