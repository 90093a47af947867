"""What the Kubernetes parts of an environment say of each other: names that must exist, parts that belong together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.config.faults import Fault
from lib.document import Document, Path

if TYPE_CHECKING:
    from lib.config.endpoint import Endpoint
    from lib.config.environment import Environment

Complaint = tuple[Path, str, str]
LARGEST_WEIGHT = 999


def kubernetes_faults(environment: Environment, document: Document) -> list[Fault]:
    """Every name that points nowhere and every choice that is not one."""
    complaints = [
        *_operator(environment),
        *_delivery(environment),
        *_routes(environment),
        *_secrets(environment),
        *_overrides(environment),
    ]
    for name, endpoint in environment.endpoints.items():
        complaints += _endpoint(environment, name, endpoint)
    return [
        Fault(document.file, document.where(path), path, message, fix) for path, message, fix in complaints
    ]


def _operator(environment: Environment) -> Iterator[Complaint]:
    operator = environment.operator
    if operator.install == "addon" and operator.chart is not None:
        yield ("operator", "chart"), "only a Helm install uses a chart", "remove it, or set 'install: helm'"


def _delivery(environment: Environment) -> Iterator[Complaint]:
    delivery = environment.delivery
    if delivery.kind != "kubectl" and delivery.repository is None:
        yield (
            ("delivery",),
            f"'{delivery.kind}' applies what a repository holds, and none is named",
            "add 'repository: https://...'",
        )
    if delivery.repository and "@" in delivery.repository.removeprefix("git@").removeprefix("ssh://git@"):
        yield (
            ("delivery", "repository"),
            "holds a user or a password",
            "keep credentials in a Secret of the controller's namespace",
        )
    if delivery.path.startswith("/") or ".." in delivery.path.split("/"):
        yield ("delivery", "path"), f"'{delivery.path}' leaves the repository", "write it like clusters/dist"


def _routes(environment: Environment) -> Iterator[Complaint]:
    for name, route in environment.routes.items():
        for endpoint, weight in route.weights.items():
            path: Path = ("routes", name, "weights", endpoint)
            if endpoint not in environment.endpoints:
                yield path, f"there is no endpoint '{endpoint}'", f"use {_known(environment.endpoints)}"
            if not 0 <= weight <= LARGEST_WEIGHT:
                yield path, f"{weight} is not a weight", f"use 0 to {LARGEST_WEIGHT}"
        if not any(route.weights.values()):
            yield ("routes", name, "weights"), "every weight is 0: no request has a way", "raise one"


def _secrets(environment: Environment) -> Iterator[Complaint]:
    for name, secret in environment.secrets.items():
        for key in secret.keys:
            if not key or not all(c.isalnum() or c in "-_." for c in key):
                yield (
                    ("secrets", name, "keys", key),
                    f"'{key}' cannot be a key of a Secret",
                    "use letters, digits, '-', '_' and '.'",
                )


def _overrides(environment: Environment) -> Iterator[Complaint]:
    for index, override in enumerate(environment.overrides):
        for number, patch in enumerate(override.patch):
            path: Path = ("overrides", index, "patch", number)
            if (patch.source is None) == (patch.op in {"move", "copy"}):
                yield (
                    path,
                    f"'source' belongs to move and copy, and this is '{patch.op}'",
                    "correct one of them",
                )
            head = patch.path.split("/")[1]
            target = "/".join(patch.path.split("/")[1:3])
            if head in {"apiVersion", "kind", "status"} or target in {"metadata/name", "metadata/namespace"}:
                yield (
                    (*path, "path"),
                    f"'{patch.path}' is what names the object, or what the cluster writes",
                    "patch another field",
                )


def _endpoint(environment: Environment, name: str, endpoint: Endpoint) -> Iterator[Complaint]:
    base: Path = ("endpoints", name)
    tls = endpoint.tls
    if (tls.certificate_arn is None) != (tls.domain_name is None):
        yield (*base, "tls"), "'certificate_arn' and 'domain_name' belong together", "give both or neither"
    if tls.hosted_zone_id and not tls.certificate_arn:
        yield (
            (*base, "tls", "hosted_zone_id"),
            "records are made only for a certificate of your own",
            "add 'certificate_arn' and 'domain_name'",
        )
    yield from _staging(environment, base, endpoint)
    benchmark, model = endpoint.benchmark, endpoint.model
    if benchmark and benchmark.tokenizer is None and model.catalogue is None:
        yield (
            (*base, "benchmark"),
            "which tokenizer counts its tokens? only a catalogue model brings one",
            "add 'tokenizer: owner/repository'",
        )


def _staging(environment: Environment, base: Path, endpoint: Endpoint) -> Iterator[Complaint]:
    weights = endpoint.model.weights
    staging = weights.staging
    if staging is None:
        return
    path = (*base, "model", "weights", "staging")
    if weights.s3 is None and weights.fsx is None:
        yield path, "fills an S3 prefix or the file system, and the weights are elsewhere", "remove it"
    if weights.s3 and (weights.s3.bucket or weights.s3.region):
        yield (
            path,
            "the Job may write to this environment's model bucket only",
            "leave out 's3.bucket' and 's3.region', or stage that bucket on its own",
        )
    if weights.fsx and weights.fsx.file_system_id:
        yield path, "the file system is not this environment's", "leave out 'fsx.file_system_id'"
    if staging.model_id is None and endpoint.model.catalogue is None:
        yield path, "which repository? only a catalogue model brings one", "add 'model_id: owner/repository'"


def _known(mapping: dict[str, object] | object) -> str:
    names = ", ".join(mapping) if isinstance(mapping, dict) else ""
    return f"one of {names}" if names else "an endpoint of this environment"
