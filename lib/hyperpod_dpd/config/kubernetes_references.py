"""What the Kubernetes parts of an environment say of each other: names that must exist, parts that belong together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import models
from hyperpod_dpd.config.fault import Complaint, Fault, faults_of
from hyperpod_dpd.config.override_faults import override_complaints
from hyperpod_dpd.document import Document, Path

if TYPE_CHECKING:
    from hyperpod_dpd.config.endpoint import Endpoint
    from hyperpod_dpd.config.environment import Environment

LARGEST_WEIGHT = 999


def kubernetes_faults(environment: Environment, document: Document) -> list[Fault]:
    """Every name that points nowhere and every choice that is not one."""
    complaints = [
        *_operator(environment),
        *_delivery(environment),
        *_routes(environment),
        *override_complaints(environment),
        *_shared_places(environment),
        *_secrets(environment),
    ]
    for name, endpoint in environment.endpoints.items():
        complaints += _endpoint(environment, name, endpoint)
    return faults_of(document, complaints)


def _operator(environment: Environment) -> Iterator[Complaint]:
    operator = environment.operator
    if operator.install == "addon" and operator.chart is not None:
        yield ("operator", "chart"), "only a Helm install uses a chart", "remove it, or set 'install: helm'"
    if operator.chart is not None:
        yield from _credentials(("operator", "chart", "repository"), operator.chart.repository)


def _delivery(environment: Environment) -> Iterator[Complaint]:
    delivery = environment.delivery
    if delivery.kind != "kubectl" and delivery.repository is None:
        yield (
            ("delivery",),
            f"'{delivery.kind}' applies what a repository holds, and none is named",
            "add 'repository: https://...'",
        )
    yield from _credentials(("delivery", "repository"), delivery.repository)
    if delivery.path.startswith("/") or ".." in delivery.path.split("/"):
        yield ("delivery", "path"), f"'{delivery.path}' leaves the repository", "write it like clusters/dist"


def _credentials(path: Path, repository: str | None) -> Iterator[Complaint]:
    """A repository's address is rendered as it is, so nothing secret may stand in it."""
    bare = (repository or "").removeprefix("git@").removeprefix("ssh://git@")
    fix = "keep credentials in a Secret of the controller's namespace"
    if "@" in bare:
        yield path, "holds a user or a password", fix
    elif "?" in bare or "#" in bare:
        yield path, "holds more than an address, such as a token", fix


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


def _shared_places(environment: Environment) -> Iterator[Complaint]:
    """Endpoints may share a volume or staged weights, but must then say the same of them."""
    volumes: dict[tuple[str, str], tuple[str, str | None]] = {}
    copies: dict[str, tuple[str, tuple[str, str]]] = {}
    for name, endpoint in environment.endpoints.items():
        weights = endpoint.model.weights
        base: Path = ("endpoints", name, "model", "weights")
        if volume := weights.volume:
            first, folder = volumes.setdefault((endpoint.namespace, volume.claim), (name, volume.host_path))
            if folder != volume.host_path:
                here, there = volume.host_path or "not rendered", folder or "not rendered"
                yield (
                    (*base, "volume"),
                    f"claim '{volume.claim}' is {here} here, and {there} in endpoint '{first}'",
                    "give both the same 'host_path', or one of them another claim",
                )
        place = weights.s3.prefix if weights.s3 else weights.fsx.path if weights.fsx else None
        if (staging := weights.staging) and place is not None:
            repository = staging.model_id or _hugging_face_id(endpoint)
            first, copy = copies.setdefault(place.strip("/"), (name, (staging.commit, repository)))
            if copy != (staging.commit, repository):
                yield (
                    (*base, "staging"),
                    f"'{place}' is also filled for endpoint '{first}', with {copy[1]} at commit {copy[0]}",
                    "give another commit another place",
                )


def _secrets(environment: Environment) -> Iterator[Complaint]:
    """The store asks Secrets Manager of the environment's Region, also when it is given an ARN."""
    for name, secret in environment.secrets.items():
        for key, remote in secret.keys.items():
            if remote.name.startswith("arn:") and remote.name.split(":")[3] != environment.region:
                path: Path = ("secrets", name, "keys", key, "name")
                yield (
                    path,
                    f"the secret is in {remote.name.split(':')[3]}, and is asked for in {environment.region}",
                    "replicate it into this Region and name the replica",
                )


def _hugging_face_id(endpoint: Endpoint) -> str:
    known = models.get(endpoint.model.catalogue) if endpoint.model.catalogue else None
    return known.hugging_face_id if known else ""


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
