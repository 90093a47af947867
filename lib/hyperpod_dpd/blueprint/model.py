"""What an environment becomes: every derived name, count, placement and version, computed once and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from hyperpod_dpd.blueprint.cloud import (
    ArgoCapabilityPlan,
    BudgetPlan,
    ExistingClusterPlan,
    ExternalSecretsPlan,
    ImagesPlan,
    LifecyclePlan,
    RolesPlan,
    SchedulingPlan,
    UpdatePlan,
)
from hyperpod_dpd.blueprint.endpoint_plan import EndpointPlan as EndpointPlan
from hyperpod_dpd.blueprint.endpoint_plan import ModelPlan as ModelPlan
from hyperpod_dpd.blueprint.endpoint_plan import RolePlan as RolePlan
from hyperpod_dpd.blueprint.note import Note as Note
from hyperpod_dpd.blueprint.stores import BucketPlan, FileSystemPlan
from hyperpod_dpd.blueprint.watching import ObservabilityPlan

if TYPE_CHECKING:
    from collections.abc import Callable

    from hyperpod_dpd.blueprint.apps import AppsPlan

SubnetKind = Literal["public", "control-plane", "accelerator"]
NatMode = Literal["single", "per-zone", "none"]
GroupRole = Literal["system", "prefill", "decode", "shared", "worker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubnetPlan:
    """One subnet. ``key`` names it in both programs and in construct ids, e.g. ``accelerator-usw2-az2``.

    ``existing_id`` is set when the VPC is not ours; ``cidr`` is then None.
    """

    key: str
    kind: SubnetKind
    zone_id: str
    zone_name: str | None
    cidr: str | None
    existing_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPlan:
    """The VPC. ``vpc_cidr`` is None when ``existing_vpc_id`` is set; ``secondary_cidrs`` are added to either.

    ``closed`` means no way out: AWS services are reached through interface endpoints, nothing else is. We make
    ``interface_endpoints``; ``their_endpoints`` are needed too and the VPC's owner has them, as the document says.
    ``existing_cidrs`` and ``private_route_table_ids`` are those of a VPC that is not ours; ``nat_gateway_ids`` (by
    zone id) and ``security_group_id`` are given ones that subnets and nodes made here use.
    """

    vpc_cidr: str | None
    secondary_cidrs: tuple[str, ...]
    existing_vpc_id: str | None
    existing_cidrs: tuple[str, ...]
    private_route_table_ids: tuple[str, ...]
    nat: NatMode
    subnets: tuple[SubnetPlan, ...]
    interface_endpoints: tuple[str, ...]
    flow_logs: bool
    closed: bool = False
    their_endpoints: tuple[str, ...] = ()
    nat_gateway_ids: Mapping[str, str] = field(default_factory=dict)
    security_group_id: str | None = None

    def of_kind(self, kind: SubnetKind) -> tuple[SubnetPlan, ...]:
        return tuple(s for s in self.subnets if s.kind == kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaintPlan:
    """A taint that HyperPod puts on every node of a group."""

    key: str
    value: str | None
    effect: str

    def __str__(self) -> str:
        return f"{self.key}{'=' + self.value if self.value else ''}:{self.effect}"


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceGroupPlan:
    """One HyperPod instance group, placed in exactly one subnet.

    ``threads_per_core`` is 1 or 2; ``ebs_gib`` the extra volume per node; ``max_count`` what subnet
    sizes and quotas must allow; ``linter_refuses`` is true where CloudFormation's linters (E3644) doubt a
    type that the Region offers, ``cdk_refuses`` where only CDK's own validation does.
    """

    name: str
    role: GroupRole
    instance_type: str
    count: int
    max_count: int
    min_count: int | None
    subnet: str
    zone_id: str
    labels: Mapping[str, str]
    threads_per_core: int
    ebs_gib: int | None
    capacity: Literal["on-demand", "training-plan", "spot"]
    training_plan_arn: str | None
    deep_health_checks: tuple[str, ...]
    efa: bool
    taints: tuple[TaintPlan, ...] = ()
    linter_refuses: bool = False
    cdk_refuses: bool = False
    alternatives: tuple[str, ...] = ()
    network_interface: Literal["efa", "efa-only"] | None = None
    update: UpdatePlan | None = None
    auto_patch: Literal["WhenIdle", "WhenAllIdle"] | None = None
    image_id: str | None = None
    lifecycle: LifecyclePlan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPlan:
    """The EKS cluster and the HyperPod cluster on it."""

    eks_name: str
    hyperpod_name: str
    kubernetes_version: str
    endpoint_public_access: bool
    public_access_cidrs: tuple[str, ...]
    admin_role_arns: tuple[str, ...]
    node_recovery: bool
    tiered_storage_percent: int | None
    lifecycle_scripts: str | None
    groups: tuple[InstanceGroupPlan, ...]
    existing: ExistingClusterPlan | None = None
    autoscaling: bool = False
    lifecycle: LifecyclePlan | None = None
    kubernetes_groups: Mapping[str, str] = field(default_factory=dict)
    """Role ARN to the Kubernetes group that its access entry puts it into."""

    @property
    def default_subnet(self) -> str:
        """Subnet of the HyperPod cluster itself. It can never change, so keep the first group first."""
        return self.groups[0].subnet

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

    ``log_retention_days`` is one of the periods that CloudWatch Logs offers.
    """

    name: str
    account: str
    region: str
    partition: str
    production: bool
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
    roles: RolesPlan = field(default_factory=RolesPlan)
    scheduling: SchedulingPlan | None = None
    images: ImagesPlan = field(default_factory=ImagesPlan)
    argo_capability: ArgoCapabilityPlan | None = None
    budget: BudgetPlan | None = None
    external_secrets: ExternalSecretsPlan | None = None
    plan_apps: Callable[[], AppsPlan] | None = field(default=None, compare=False, repr=False)
    notes: tuple[Note, ...]

    @property
    def apps(self) -> AppsPlan:
        """What the cluster gets beside its endpoints; planned when first asked for, since most verbs never do."""
        if self.plan_apps is None:
            from hyperpod_dpd.blueprint.apps import AppsPlan

            return AppsPlan()
        return self.plan_apps()
