"""The cluster part of an environment: Kubernetes, the inference operator and the instance groups."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from hyperpod_dpd.config.base import (
    AddonVersion,
    Cidr,
    GroupName,
    LabelKey,
    LabelValue,
    RoleArn,
    Section,
    TaintValue,
    ZoneId,
)
from hyperpod_dpd.config.delivery import Chart
from hyperpod_dpd.config.dependencies import Dependencies
from hyperpod_dpd.config.existing import LifecycleSource
from hyperpod_dpd.config.existing_cluster import ExistingCluster
from hyperpod_dpd.config.updates import Update

MOST_NODES = 6758
MOST_GROUPS = 100
LARGEST_VOLUME_GIB = 16384
MOST_LABELS = 49  # of 50, one is ours
MOST_TAINTS = 50
"""Limits of AWS::SageMaker::Cluster; a test holds them against the schema."""


class Capacity(Section):
    """How a group's nodes are bought."""

    kind: Literal["on-demand", "spot", "training-plan"]
    training_plan_arn: str | None = Field(
        None, pattern=r"^arn:aws[a-z-]*:sagemaker:[a-z0-9-]+:[0-9]{12}:training-plan/.+$"
    )


class Taint(Section):
    """A taint that every node of a group carries from its start."""

    key: LabelKey
    value: TaintValue | None = None
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]

    def __str__(self) -> str:
        return f"{self.key}{'=' + self.value if self.value else ''}:{self.effect}"


def _capacity_from_text(value: Any) -> Any:
    return {"kind": value} if isinstance(value, str) else value


class InstanceGroup(Section):
    """Nodes of one type in one accelerator zone; the zone may be left out where there is only one."""

    instance_type: str = Field(description="HyperPod spelling, such as ml.p5.48xlarge.")
    count: int = Field(ge=0, le=MOST_NODES, description="Nodes to run.")
    alternatives: list[str] = Field(
        default_factory=list,
        max_length=19,
        description="Further types, in order of preference, that HyperPod may take where the first is short.",
    )
    zone: ZoneId | None = None
    max_count: int | None = Field(
        None,
        ge=0,
        le=MOST_NODES,
        description="Most nodes the group may grow to; sizes its subnet. Default: count.",
    )
    min_count: int | None = Field(
        None,
        ge=0,
        le=MOST_NODES,
        description="Nodes without which creation rolls back. Default: one for a group "
        "that serves no endpoint and has nodes, so that add-ons find one.",
    )
    labels: dict[LabelKey, LabelValue] = Field(default_factory=dict, max_length=MOST_LABELS)
    taints: list[Taint] = Field(
        default_factory=list, max_length=MOST_TAINTS, description="Prefer labels: pods need tolerations."
    )
    threads_per_core: Literal[1, 2] = 2
    ebs_gib: int | None = Field(
        500, ge=1, le=LARGEST_VOLUME_GIB, description="Extra EBS volume of each node, in GiB."
    )
    capacity: Annotated[
        Capacity, BeforeValidator(_capacity_from_text, json_schema_input_type=str | Capacity)
    ] = Capacity(kind="on-demand")
    deep_health_checks: list[Literal["InstanceStress", "InstanceConnectivity"]] = Field(default_factory=list)
    network_interface: Literal["efa", "efa-only"] | None = Field(
        None, description="Kind of the further network cards. Default: HyperPod's choice."
    )
    image_id: str | None = Field(
        None, pattern=r"^ami-[0-9a-f]{8,17}$", description="Custom AMI. Default: HyperPod's own."
    )
    lifecycle: LifecycleSource | None = Field(
        None, description="Scripts of this group's nodes, in place of the cluster's."
    )
    update: Update | None = Field(None, description="Scheduled rolling update of the nodes' software.")
    auto_patch: Literal["WhenIdle", "WhenAllIdle"] | None = Field(
        None,
        description="Security patches by themselves, on nodes that run nothing; not for groups that serve.",
    )


class EndpointAccess(Section):
    """Who reaches the Kubernetes API. Without ``public_cidrs`` it is private."""

    public_cidrs: list[Cidr] = Field(
        default_factory=list, description="Ranges that reach the API over the internet."
    )
    private_cidrs: list[Cidr] | None = Field(
        None,
        description="Ranges that reach the API's private addresses on port 443: of the VPC and of what is connected "
        "to it by VPN, peering or transit gateway. Default: all ranges of the VPC.",
    )


class Cluster(Section):
    """The EKS cluster and the HyperPod cluster on it."""

    existing: ExistingCluster | None = Field(None, description="Join this EKS cluster; make none.")
    kubernetes_version: str = Field("1.33", pattern=r"^1\.[0-9]{2}$")
    instance_groups: dict[GroupName, InstanceGroup] = Field(min_length=1, max_length=MOST_GROUPS)
    admin_role_arns: list[RoleArn] = Field(
        default_factory=list, description="Roles that administer the cluster through EKS access entries."
    )
    deployer_role_arns: list[RoleArn] = Field(
        default_factory=list,
        description="Roles that change endpoints: members of platform.deployers_group in the endpoints' namespaces.",
    )
    reader_role_arns: list[RoleArn] = Field(
        default_factory=list, description="Roles that look and read logs: members of platform.readers_group."
    )
    dependencies: Dependencies = Dependencies()
    api_access: EndpointAccess = EndpointAccess()
    node_recovery: bool = True
    autoscaling: bool = Field(False, description="HyperPod's managed Karpenter adds and removes nodes.")
    tiered_storage_percent: int | None = Field(None, ge=1, le=100)
    lifecycle_scripts: str | None = Field(
        None, description="Folder of scripts, relative to this file, that every node runs when created."
    )
    lifecycle: LifecycleSource | None = Field(
        None, description="Scripts that are in a bucket already, in place of lifecycle_scripts."
    )


class Operator(Section):
    """The HyperPod inference operator. Its release and its EKS add-on version are numbered separately."""

    release: str = Field(
        "3.4", pattern=r"^[0-9]+\.[0-9]+(\.[0-9]+)?$", description="Operator release, such as 3.4."
    )
    addon_version: AddonVersion | None = Field(
        None,
        description="EKS add-on version; default: the one the catalogue pairs with the release.",
    )
    install: Literal["addon", "helm"] = "addon"
    chart: Chart | None = Field(None, description="Needed when 'install' is helm.")
