"""The environment document: the one thing a user writes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from hyperpod_dpd.config.addons import Addons
from hyperpod_dpd.config.base import (
    MOST_TAGS,
    AccountId,
    Acknowledgements,
    RegionName,
    ResourceName,
    Section,
    TagKey,
    TagValue,
)
from hyperpod_dpd.config.cluster import Cluster, Operator
from hyperpod_dpd.config.delivery import Delivery
from hyperpod_dpd.config.endpoint import Endpoint
from hyperpod_dpd.config.existing import ExistingBuckets, ExistingRoles
from hyperpod_dpd.config.images import Images
from hyperpod_dpd.config.network import Network
from hyperpod_dpd.config.operations import Observability, Operations
from hyperpod_dpd.config.overrides import Override
from hyperpod_dpd.config.platform import ExternalSecret, Platform, Route
from hyperpod_dpd.config.scheduling import Scheduling


class FileSystem(Section):
    """An FSx for Lustre file system beside the accelerators, filled from the model bucket."""

    zone: str | None = Field(None, description="Availability zone id of the file system.")
    # Both defaults are choices of this project: room for three copies of a 70B model in 16 bits and the slower of the
    # common rates. What FSx makes at all is in the catalogue (requirements.yaml) and judged by DPD244.
    capacity_gib: int = Field(4800, description="Capacity in GiB.")
    throughput_mbps_per_tib: int = Field(250, description="Throughput in MB/s per TiB.")
    compression: Literal["none", "lz4"] = Field("none", description="Whether data is compressed with LZ4.")
    data_prefix: str = Field(
        "models",
        pattern=r"^[A-Za-z0-9_.!*'()/-]+$",
        max_length=1024,
        description="Prefix of the model bucket that it mirrors.",
    )


class Storage(Section):
    """Buckets, keys and file system."""

    own_kms_keys: bool = Field(False, description="Whether data is encrypted with keys of this environment.")
    file_system: FileSystem | None = Field(None, description="FSx for Lustre file system.")
    existing_buckets: ExistingBuckets = Field(ExistingBuckets(), description="Buckets that exist.")


class Environment(Section):
    """One environment of DPD serving: account, network, cluster, endpoints."""

    account: AccountId = Field(description="Account id, quoted.")
    region: RegionName = Field(description="AWS Region of everything in this environment.")
    production: bool = Field(False, description="Stricter rules, deletion protection and retained data.")
    network: Network = Field(description="VPC, zones, subnets and ways out.")
    cluster: Cluster = Field(description="The EKS control plane and the HyperPod instance groups.")
    operator: Operator = Field(Operator(), description="The HyperPod inference operator and its release.")
    addon_versions: dict[str, str] = Field(
        default_factory=dict, description="EKS add-on name to version, where the catalogue's pin is unwanted."
    )
    addon_values: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description="EKS add-on name to configuration values, laid over ours; for keys we do not know.",
    )
    addons: Addons = Field(Addons(), description="Typed settings of EKS add-ons.")
    task_governance: bool = Field(
        False, description="The task governance add-on, installed after all others."
    )
    scheduling: Scheduling | None = Field(None, description="Its cluster policy. Default: HyperPod's own.")
    roles: ExistingRoles = Field(
        ExistingRoles(), description="IAM roles that exist, instead of those made here."
    )
    allow_replacement: dict[str, str] = Field(
        default_factory=dict,
        description="A locked fact, as `dpd check` names it, to the reason why losing what it holds is meant.",
    )
    images: Images = Field(Images(), description="Container images, by tag or digest.")
    storage: Storage = Field(Storage(), description="Keys, buckets and the file system.")
    endpoints: dict[ResourceName, Endpoint] = Field(
        default_factory=dict,
        description="Endpoints by name; each is one model served by prefill and decode workers.",
    )
    routes: dict[ResourceName, Route] = Field(
        default_factory=dict, description="Host names by route, each shared by several endpoints."
    )
    platform: Platform = Field(Platform(), description="Guard rails of the namespaces.")
    secrets: dict[ResourceName, ExternalSecret] = Field(
        default_factory=dict, description="Kubernetes Secrets made out of Secrets Manager, by name."
    )
    delivery: Delivery = Field(Delivery(), description="How rendered manifests reach the cluster.")
    overrides: list[Override] = Field(
        default_factory=list, description="Fields without a key here, as JSON patches of rendered objects."
    )
    observability: Observability = Field(Observability(), description="Workspaces, alerts and dashboards.")
    operations: Operations = Field(Operations(), description="Drills, reports and the budget.")
    tags: dict[TagKey, TagValue] = Field(
        default_factory=dict, max_length=MOST_TAGS, description="Tags of every AWS resource that takes them."
    )
    acknowledge: Acknowledgements = Field(
        default_factory=dict, description="Findings accepted here: rule id and the reason."
    )
