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

    zone: str | None = None
    # Both defaults are choices of this project: room for three copies of a 70B model in 16 bits and the slower of the
    # common rates. What FSx makes at all is in the catalogue (requirements.yaml) and judged by DPD244.
    capacity_gib: int = 4800
    throughput_mbps_per_tib: int = 250
    compression: Literal["none", "lz4"] = "none"
    data_prefix: str = Field(
        "models",
        pattern=r"^[A-Za-z0-9_.!*'()/-]+$",
        max_length=1024,
        description="Prefix of the model bucket that it mirrors.",
    )


class Storage(Section):
    """Buckets, keys and file system."""

    own_kms_keys: bool = False
    file_system: FileSystem | None = None
    existing_buckets: ExistingBuckets = ExistingBuckets()


class Environment(Section):
    """One environment of DPD serving: account, network, cluster, endpoints."""

    account: AccountId = Field(description="Account id, quoted.")
    region: RegionName
    production: bool = False
    network: Network
    cluster: Cluster
    operator: Operator = Operator()
    addon_versions: dict[str, str] = Field(
        default_factory=dict, description="EKS add-on name to version, where the catalogue's pin is unwanted."
    )
    addon_values: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description="EKS add-on name to configuration values, laid over ours; for keys we do not know.",
    )
    addons: Addons = Addons()
    task_governance: bool = Field(
        False, description="The task governance add-on, installed after all others."
    )
    scheduling: Scheduling | None = Field(None, description="Its cluster policy. Default: HyperPod's own.")
    roles: ExistingRoles = ExistingRoles()
    allow_replacement: dict[str, str] = Field(
        default_factory=dict,
        description="A locked fact, as `dpd check` names it, to the reason why losing what it holds is meant.",
    )
    images: Images = Images()
    storage: Storage = Storage()
    endpoints: dict[ResourceName, Endpoint] = Field(default_factory=dict)
    routes: dict[ResourceName, Route] = Field(default_factory=dict)
    platform: Platform = Platform()
    secrets: dict[ResourceName, ExternalSecret] = Field(default_factory=dict)
    delivery: Delivery = Delivery()
    overrides: list[Override] = Field(default_factory=list)
    observability: Observability = Observability()
    operations: Operations = Operations()
    tags: dict[TagKey, TagValue] = Field(default_factory=dict, max_length=MOST_TAGS)
    acknowledge: Acknowledgements = Field(default_factory=dict)
