"""Parts of the cloud side that not every environment has, as plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RegistryKind = Literal["public", "pull-through", "mirror"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecyclePlan:
    """What nodes run when created: a script in the folder ``uri`` of ``bucket``."""

    bucket: str
    uri: str
    on_create: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulingPlan:
    """The scheduler policy of task governance; ``priority_classes`` are (name, weight)."""

    name: str
    fair_share: bool
    priority_classes: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryPlan:
    """One ECR repository of the environment and the image line that is copied into it."""

    name: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PullThroughPlan:
    """One pull-through cache rule: repositories under ``prefix`` are filled from ``upstream``."""

    prefix: str
    upstream: str
    secret_arn: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateRepository:
    """An ECR repository of an account, which may be another one, or in another Region."""

    account: str
    region: str
    repository: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagesPlan:
    """Where images are pulled from: ``repositories`` for a mirror, ``caches`` for a pull-through.

    ``foreign`` are repositories of another account, ``elsewhere`` those of another Region.
    """

    registry: RegistryKind = "public"
    repositories: tuple[RepositoryPlan, ...] = ()
    caches: tuple[PullThroughPlan, ...] = ()
    foreign: tuple[PrivateRepository, ...] = ()
    elsewhere: tuple[PrivateRepository, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityPlan:
    """A user or group of IAM Identity Center with a role in Argo CD."""

    id: str
    type: str
    role: Literal["ADMIN", "VIEWER"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgoCapabilityPlan:
    """The managed Argo CD; ``namespace`` and the Identity Center are create-only."""

    name: str
    namespace: str
    instance_arn: str
    instance_region: str
    identities: tuple[IdentityPlan, ...]
    repository_secret_arns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetPlan:
    """A monthly cost budget of the environment's tag."""

    name: str
    monthly_usd: int
    notify: tuple[str, ...]
    alert_percents: tuple[int, ...]
    tag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalSecretsPlan:
    """What the External Secrets controller may read: names or ARNs in Secrets Manager, and their keys' ARNs.

    ``own_key`` is true where the environment's data key encrypts one of them.
    """

    namespace: str
    service_account: str
    secrets: tuple[str, ...]
    key_arns: tuple[str, ...]
    own_key: bool
