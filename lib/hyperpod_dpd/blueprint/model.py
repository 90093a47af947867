"""What an environment becomes: every derived name, count, placement and version, computed once and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hyperpod_dpd.blueprint.apps import AppsPlan
from hyperpod_dpd.blueprint.cloud import (
    ArgoCapabilityPlan,
    BudgetPlan,
    ExternalSecretsPlan,
    ImagesPlan,
    LifecyclePlan,
    SchedulingPlan,
)
from hyperpod_dpd.blueprint.endpoints import EndpointPlan as EndpointPlan
from hyperpod_dpd.blueprint.groups import InstanceGroupPlan as InstanceGroupPlan
from hyperpod_dpd.blueprint.models import ModelPlan as ModelPlan
from hyperpod_dpd.blueprint.networking import NatMode as NatMode
from hyperpod_dpd.blueprint.networking import NetworkPlan as NetworkPlan
from hyperpod_dpd.blueprint.networking import SubnetPlan as SubnetPlan
from hyperpod_dpd.blueprint.note import Note as Note
from hyperpod_dpd.blueprint.stores import BucketPlan, FileSystemPlan
from hyperpod_dpd.blueprint.watching import ObservabilityPlan
from hyperpod_dpd.blueprint.workers import RolePlan as RolePlan
from hyperpod_dpd.config.existing import ExistingRoles
from hyperpod_dpd.config.existing_cluster import ExistingCluster


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPlan:
    """The EKS cluster and the HyperPod cluster on it."""

    eks_name: str
    hyperpod_name: str
    kubernetes_version: str
    endpoint_public_access: bool
    public_access_cidrs: tuple[str, ...]
    private_access_cidrs: tuple[str, ...] = ()
    admin_role_arns: tuple[str, ...]
    node_recovery: bool
    tiered_storage_percent: int | None
    lifecycle_scripts: str | None
    groups: tuple[InstanceGroupPlan, ...]
    existing: ExistingCluster | None = None
    autoscaling: bool = False
    lifecycle: LifecyclePlan | None = None
    kubernetes_groups: Mapping[str, str] = field(default_factory=dict)
    """Role ARN to the Kubernetes group that its access entry puts it into."""

    @property
    def default_subnet(self) -> str:
        """Subnet of the HyperPod cluster itself. It can never change, so keep the first group first."""
        return self.groups[0].subnet

    @property
    def addon_conflicts(self) -> Literal["OVERWRITE", "PRESERVE"]:
        """What an add-on does with settings that it finds: in somebody else's cluster it fails and leaves them."""
        return "OVERWRITE" if self.existing is None else "PRESERVE"

    def group(self, name: str) -> InstanceGroupPlan:
        """Raises KeyError when the cluster has no such group."""
        for group in self.groups:
            if group.name == name:
                return group
        raise KeyError(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddonPlan:
    """One EKS add-on. ``after`` names the add-ons that must be active first.

    ``version`` is None where no pin is known: EKS then takes its default for the Kubernetes version.
    ``values`` follow from the document; those that only a deployment knows come below them.
    """

    name: str
    version: str | None
    after: tuple[str, ...]
    needs_nodes: bool
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorPlan:
    """The inference operator: its release and, separately numbered, its EKS add-on version."""

    release: str
    addon_version: str | None
    install: Literal["addon", "helm"]
    role_name: str
    gateway: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Blueprint:
    """One environment, resolved. Both programs read this and compute nothing of their own.

    ``log_retention_days`` is one of the periods that CloudWatch Logs offers. ``protected`` is true in production
    once the deployment is locked: before, protection would keep a failed first deployment from being repeated.
    """

    name: str
    account: str
    region: str
    partition: str
    production: bool
    protected: bool = False
    tags: Mapping[str, str]
    network: NetworkPlan
    cluster: ClusterPlan
    operator: OperatorPlan
    addons: tuple[AddonPlan, ...]
    buckets: BucketPlan
    file_system: FileSystemPlan | None
    own_kms_keys: bool
    log_retention_days: int = 365
    endpoints: tuple[EndpointPlan, ...]
    observability: ObservabilityPlan | None = None
    roles: ExistingRoles = field(default_factory=ExistingRoles)
    scheduling: SchedulingPlan | None = None
    images: ImagesPlan = field(default_factory=ImagesPlan)
    argo_capability: ArgoCapabilityPlan | None = None
    budget: BudgetPlan | None = None
    external_secrets: ExternalSecretsPlan | None = None
    apps: AppsPlan = field(default_factory=AppsPlan)
    """What the cluster gets beside its endpoints."""
    notes: tuple[Note, ...]
    source_digest: str = ""
    """Of the document, its outputs and locks."""
