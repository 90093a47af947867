"""What the cluster gets beside its endpoints, as plain frozen data for the charts and for the cloud side's roles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hyperpod_dpd.blueprint.note import Note
from hyperpod_dpd.config.platform import ExternalSecret, Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchPlan:
    """JSON patch operations (RFC 6902, ready to serialise) on one object; ``place`` is its path in the document."""

    kind: str
    name: str
    namespace: str | None
    operations: tuple[Mapping[str, Any], ...]
    place: tuple[str | int, ...]

    @property
    def title(self) -> str:
        return f"{self.kind} {f'{self.namespace}/' if self.namespace else ''}{self.name}"

    def is_for(self, item: Mapping[str, Any]) -> bool:
        metadata = item["metadata"]
        return (
            item["kind"] == self.kind
            and metadata["name"] == self.name
            and self.namespace in {None, metadata.get("namespace")}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePlan:
    """A Helm release: a chart in a Git repository at one commit, and its values."""

    release: str
    namespace: str
    repository: str
    commit: str
    path: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StagingPlan:
    """Copy of a repository at one commit into ``bucket`` below ``prefix``, under an identity of its own."""

    endpoint: str
    namespace: str
    service_account: str
    image: str
    packages: tuple[str, ...]
    model_id: str
    commit: str
    include: tuple[str, ...]
    bucket: str
    prefix: str
    token: tuple[str, str] | None
    disk_gib: int
    parallel_files: int
    max_retries: int
    deadline_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkPlan:
    """One genai-bench run against an endpoint's router; results go below ``prefix`` of ``bucket``."""

    endpoint: str
    namespace: str
    service_account: str
    image: str
    api_base: str
    model: str
    tokenizer: str
    token: tuple[str, str] | None
    scenarios: tuple[str, ...]
    concurrency: tuple[int, ...]
    max_minutes_per_run: int
    max_requests_per_run: int
    gpu_type: str
    gpu_count: int
    bucket: str
    prefix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPlan:
    """A claim and its static volume: a folder of every node (``host_path``), or the FSx file system."""

    name: str
    namespace: str
    size_gib: int
    host_path: str | None = None
    file_system_id: str | None = None
    dns_name: str | None = None
    mount_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutePlan:
    """One host name before the routers of several endpoints; ``backends`` are (Service, weight)."""

    name: str
    backends: tuple[tuple[str, int], ...]
    paths: tuple[str, ...]
    health_check_path: str
    host: str | None
    certificate_arn: str | None
    scheme: Literal["internal", "internet-facing"]
    idle_timeout_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespacePlan:
    """A namespace that holds endpoints; ``gpus`` is the most its pods may hold at once, surge included."""

    name: str
    gpus: int | None
    disaggregated: bool
    owned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PrePullPlan:
    """One image and the instance groups whose nodes keep it."""

    image: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryPlan:
    """Who applies the tree; ``apps`` pairs each app with those that must be ready before it."""

    kind: Literal["kubectl", "argocd", "argocd-managed", "flux"] = "kubectl"
    repository: str = ""
    revision: str = "main"
    path: str = "dist"
    namespace: str = "argocd"
    project: str = ""
    credentials_secret: str | None = None
    prune: bool = True
    self_heal: bool = True
    cluster_arn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppsPlan:
    """Everything of this file for one environment."""

    namespaces: tuple[NamespacePlan, ...] = ()
    platform: Platform = field(default_factory=Platform)
    claims: tuple[ClaimPlan, ...] = ()
    pre_pull: tuple[PrePullPlan, ...] = ()
    secrets: Mapping[str, ExternalSecret] = field(default_factory=dict)
    """By the name of the Secret that External Secrets fills."""
    staging: tuple[StagingPlan, ...] = ()
    benchmarks: tuple[BenchmarkPlan, ...] = ()
    routes: tuple[RoutePlan, ...] = ()
    chart: ReleasePlan | None = None
    """The inference operator's, where Helm installs it."""
    dependencies: ReleasePlan | None = None
    delivery: DeliveryPlan = field(default_factory=DeliveryPlan)
    patches: tuple[PatchPlan, ...] = ()
    notes: tuple[Note, ...] = ()
