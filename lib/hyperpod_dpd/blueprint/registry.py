"""The registry that nodes pull from: as a reference says, ECR's cache of it, or the environment's own copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.blueprint.cloud import (
    ImagesPlan,
    PrivateRepository,
    PullThroughPlan,
    RegistryKind,
    RepositoryPlan,
)
from hyperpod_dpd.catalog import metrics, regions, tools, worker_images
from hyperpod_dpd.catalog.worker_images import DOCKER_HUB, DOCKER_HUB_API, PUBLIC_ECR

if TYPE_CHECKING:
    from hyperpod_dpd.config import LoadedEnvironment
    from hyperpod_dpd.config.images import ToolImage, WorkerImage

_UPSTREAMS = {PUBLIC_ECR: PUBLIC_ECR, DOCKER_HUB: DOCKER_HUB_API}
_TOOLS = ("staging", "benchmark")


def registry_kind(loaded: LoadedEnvironment) -> RegistryKind:
    """The document's choice; a closed network can only have copies."""
    return loaded.environment.images.registry or ("mirror" if loaded.environment.network.closed else "public")


def relocated(loaded: LoadedEnvironment, reference: str) -> str:
    """The reference as nodes pull it. One that already names an ECR repository of an account stays as it is."""
    kind = registry_kind(loaded)
    parsed = worker_images.parse_reference(reference)
    if kind == "mirror":
        return private_copy(loaded, reference) or reference
    if kind == "public" or not _cached(loaded, parsed.registry):
        return reference
    prefix = names.cache_prefix(loaded.name, parsed.registry)
    return _at(loaded, prefix, parsed)


def private_copy(loaded: LoadedEnvironment, reference: str) -> str | None:
    """Where the environment's own copy of an image is pulled from; None where it has none and needs none."""
    parsed = worker_images.parse_reference(reference)
    if registry_kind(loaded) != "mirror" or worker_images.is_private_ecr(parsed.registry):
        return None
    return _at(loaded, names.image_prefix(loaded.name), parsed)


def _at(loaded: LoadedEnvironment, prefix: str, image: worker_images.ImageReference) -> str:
    rest = f":{image.tag}" if image.tag else ""
    digest = f"@{image.digest}" if image.digest else ""
    return f"{_private(loaded)}/{prefix}/{image.repository}{rest}{digest}"


def with_digest(loaded: LoadedEnvironment, reference: str, digest: str | None) -> str:
    """``reference`` and its digest: the document's, else the lock's, else none."""
    locked = loaded.locks.images.get(reference)
    digest = digest or (locked.digest if locked else None)
    pulled = relocated(loaded, reference)
    return f"{pulled}@{digest}" if digest else pulled


def worker_image(loaded: LoadedEnvironment, given: WorkerImage) -> str:
    """What the pods pull: by digest once pinned (in the document, or in the lock), by tag before."""
    return _chosen(loaded, given, worker_images.supported()[0].reference)


def tool_image(loaded: LoadedEnvironment, key: str) -> str:
    """What a Job of ours pulls: the document's choice or the catalogue's, by digest once locked."""
    return _chosen(loaded, getattr(loaded.environment.images, key), tools.image(key).reference)


def _chosen(loaded: LoadedEnvironment, given: WorkerImage | ToolImage, default: str) -> str:
    """A repository of the document has no default tag: that is one of the other repository."""
    known = worker_images.parse_reference(default)
    repository = given.repository or f"{known.registry}/{known.repository}"
    tag = given.tag or (known.tag if given.repository is None else None)
    return with_digest(loaded, f"{repository}:{tag}" if tag else repository, given.digest)


def plan_images(loaded: LoadedEnvironment) -> ImagesPlan:
    """Repositories or cache rules for every image that the environment's pods pull, and what is not ours of them."""
    kind = registry_kind(loaded)
    foreign, elsewhere = _not_ours(loaded)
    if kind == "public":
        return ImagesPlan(foreign=foreign, elsewhere=elsewhere)
    if kind == "pull-through":
        caches = [
            PullThroughPlan(
                prefix=names.cache_prefix(loaded.name, registry),
                upstream=upstream,
                secret_arn=loaded.environment.images.docker_hub_secret_arn
                if registry == DOCKER_HUB
                else None,
            )
            for registry, upstream in _UPSTREAMS.items()
            if _cached(loaded, registry)
        ]
        return ImagesPlan(registry=kind, caches=tuple(caches), foreign=foreign, elsewhere=elsewhere)
    lines = {
        (parsed.registry, parsed.repository)
        for parsed in map(worker_images.parse_reference, _references(loaded))
        if not worker_images.is_private_ecr(parsed.registry)
    }
    repositories = [
        RepositoryPlan(
            name=f"{names.image_prefix(loaded.name)}/{repository}", source=f"{registry}/{repository}"
        )
        for registry, repository in sorted(lines)
    ]
    return ImagesPlan(registry=kind, repositories=tuple(repositories), foreign=foreign, elsewhere=elsewhere)


def _not_ours(
    loaded: LoadedEnvironment,
) -> tuple[tuple[PrivateRepository, ...], tuple[PrivateRepository, ...]]:
    """Private ECR repositories of other accounts, and those of other Regions."""
    environment = loaded.environment
    named: dict[PrivateRepository, None] = {}
    for parsed in map(worker_images.parse_reference, _references(loaded)):
        place = worker_images.private_ecr(parsed.registry)
        if place is not None:
            account, region = place
            named[PrivateRepository(account=account, region=region, repository=parsed.repository)] = None
    return (
        tuple(each for each in named if each.account != environment.account),
        tuple(each for each in named if each.region != environment.region),
    )


def _cached(loaded: LoadedEnvironment, registry: str) -> bool:
    """ECR caches Docker Hub only with credentials, and no other registry is set up."""
    return registry == PUBLIC_ECR or (
        registry == DOCKER_HUB and loaded.environment.images.docker_hub_secret_arn is not None
    )


def _private(loaded: LoadedEnvironment) -> str:
    region = loaded.environment.region
    known = regions.get(region)
    suffix = "amazonaws.com.cn" if known and known.partition == "aws-cn" else "amazonaws.com"
    return f"{loaded.environment.account}.dkr.ecr.{region}.{suffix}"


def _references(loaded: LoadedEnvironment) -> list[str]:
    """Both supported worker images, those that the document names, and those of what else we bring."""
    images = loaded.environment.images
    given = [images.worker, *(e.image for e in loaded.environment.endpoints.values() if e.image)]
    wanted = [image.reference for image in worker_images.supported()]
    wanted += [image.repository for image in given if image.repository]
    jobs = [
        e.benchmark is not None or e.model.weights.staging is not None
        for e in loaded.environment.endpoints.values()
    ]
    if any(jobs):
        for key in _TOOLS:
            wanted.append(getattr(images, key).repository or tools.image(key).reference)
    watch = loaded.environment.observability
    if watch.enabled and (watch.log_exporter or watch.canary):
        wanted.append(watch.log_exporter_image or metrics.image("log_exporter"))
    if loaded.environment.cluster.dependencies.install:
        wanted.append(tools.image("nvidia_device_plugin").reference)
    return wanted
