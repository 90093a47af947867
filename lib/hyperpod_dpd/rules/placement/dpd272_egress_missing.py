import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from hyperpod_dpd.config.egress import ports
from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, Path, rule

_HTTPS, _SSH = 443, 22
_LUSTRE = ((988, 988), (1018, 1023))
_REGISTRY_PORT = re.compile(r"^[^/]+:([0-9]+)/")

Need = tuple[Path, str, tuple[tuple[int, int], ...]]


@rule(
    ("DPD272", "egress-missing", WARNING, ENVIRONMENT),
    title="The nodes' security group does not let out what the document needs",
    what="""That what nodes and pods call on other ports than 443 has a rule in network.egress: a Git server over
    ssh for a controller that runs on the nodes, a registry with a port in its name, and a file system that is
    given by its id and is in a security group of its own (988 and 1018-1023).""",
    why="""The group lets out HTTPS and what goes to itself. Everything else ends in a timeout: the controller syncs
    nothing, the image is not pulled, the mount never answers and its pod stays in ContainerCreating.""",
    fine="Where the file system is in the nodes' own security group.",
    fix="""add to network.egress the port, the range or security group it goes to, and why; or reach it over
    HTTPS""",
    sources="""FSx for Lustre user guide, file system access control: ports 988 and 1018-1023 | Amazon EC2 user guide,
    security groups: what no rule allows is dropped | This project's security group of the nodes""",
    covers=(),
    tags=("network",),
    before="delivery: {kind: flux, repository: 'ssh://git@git.example.com/dpd.git'}",
    after="""delivery: {kind: flux, repository: 'ssh://git@git.example.com/dpd.git'}
    network: {egress: [{port: 22, to: 203.0.113.0/24, why: Git over ssh}]}""",
)
def check(environment: EnvironmentView) -> Matches:
    network = environment.blueprint.network
    open_ = [ports(each.port) for each in network.egress if each.protocol == "tcp"]
    owner = "the owner of the nodes' security group has to allow it; nothing here can tell"
    for path, what, needed in _needs(environment):
        missing = [span for span in needed if not any(a <= span[0] and span[1] <= b for a, b in open_)]
        if missing:
            told = " and ".join(str(a) if a == b else f"{a}-{b}" for a, b in missing)
            given = network.security_group_id is not None
            yield Match(
                path,
                f"{what} is reached on tcp {told}, which "
                + (owner if given else "no rule of the nodes' group lets out"),
            )


def _needs(environment: EnvironmentView) -> Iterator[Need]:
    document = environment.document
    repository, delivery = document.delivery.repository, document.delivery.kind
    if repository is not None and delivery in {"argocd", "flux"}:
        port = _git_port(repository)
        if port != _HTTPS:
            yield ("delivery", "repository"), f"{repository}", ((port, port),)
    images: list[tuple[Path, str | None]] = [
        (("images", "worker", "repository"), document.images.worker.repository)
    ]
    images += [
        (("endpoints", name, "image", "repository"), endpoint.image.repository)
        for name, endpoint in document.endpoints.items()
        if endpoint.image is not None
    ]
    for path, reference in images:
        named = _REGISTRY_PORT.match(reference or "")
        if named and int(named[1]) != _HTTPS:
            yield path, f"the registry of {reference}", ((int(named[1]), int(named[1])),)
    for name, endpoint in document.endpoints.items():
        system = endpoint.model.weights.fsx
        if system is not None and system.file_system_id is not None:
            path = ("endpoints", name, "model", "weights", "fsx", "file_system_id")
            yield path, f"file system {system.file_system_id}", _LUSTRE


def _git_port(repository: str) -> int:
    """Port of a repository's URL; ``git@host:path`` is ssh."""
    if repository.startswith("git@"):
        return _SSH
    url = urlsplit(repository)
    return url.port or (_SSH if url.scheme == "ssh" else _HTTPS)
