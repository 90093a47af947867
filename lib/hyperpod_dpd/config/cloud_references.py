"""What one key of the cloud side says of another: a cluster that needs its network, windows that must not meet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.config.addon_references import addon_complaints
from hyperpod_dpd.config.fault import Complaint, Fault, faults_of
from hyperpod_dpd.config.updates import HOURS_APART, windows_apart
from hyperpod_dpd.document import Document, Path

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.instance_types import InstanceType
    from hyperpod_dpd.config.environment import Environment

_LABEL_DOMAINS = ("sagemaker.amazonaws.com", "dpd.hyperpod")
_LABELS = (
    "kubernetes.io/arch",
    "kubernetes.io/hostname",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
    "topology.k8s.aws/zone-id",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
)
"""Of nodes, that HyperPod, Kubernetes or this project sets; all of ours and of HyperPod's domain."""


def cloud_faults(environment: Environment, document: Document) -> list[Fault]:
    """Every choice of the cloud side that another one makes impossible."""
    complaints = [
        *_existing(environment),
        *_images(environment),
        *_delivery(environment),
        *_updates(environment),
        *_patches(environment),
        *_health_checks(environment),
        *_alternatives(environment),
        *_labels(environment),
        *_budget(environment),
        *addon_complaints(environment),
        *_replacements(environment),
    ]
    return faults_of(document, complaints)


def _existing(environment: Environment) -> Iterator[Complaint]:
    if environment.cluster.existing is not None and environment.network.existing is None:
        yield (
            ("cluster", "existing"),
            "an existing EKS cluster stands in a VPC that exists too, and the document makes a new one",
            "describe that VPC under network.existing",
        )


def _images(environment: Environment) -> Iterator[Complaint]:
    path: Path = ("images", "registry")
    if environment.network.closed and environment.images.registry == "pull-through":
        yield (
            path,
            "'pull-through' in a closed network: ECR fills its cache through the nodes' way out on the first pull",
            "use mirror",
        )


def _delivery(environment: Environment) -> Iterator[Complaint]:
    delivery = environment.delivery
    if delivery.kind == "argocd-managed" and delivery.identity_center is None:
        yield (
            ("delivery",),
            "the managed Argo CD has no local users: it needs an IAM Identity Center",
            "add identity_center: {instance_arn: arn:aws:sso:::instance/...}, or choose another kind",
        )


def roles_of(environment: Environment) -> dict[str, set[str]]:
    """Roles that each instance group serves over all endpoints; none means a system or spare group."""
    roles: dict[str, set[str]] = {name: set() for name in environment.cluster.instance_groups}
    for endpoint in environment.endpoints.values():
        for role, plan in (("prefill", endpoint.prefill), ("decode", endpoint.decode)):
            if plan.instance_group in roles:
                roles[plan.instance_group].add(role)
    return roles


def _updates(environment: Environment) -> Iterator[Complaint]:
    roles = roles_of(environment)
    groups = environment.cluster.instance_groups
    updated = {name: group.update for name, group in groups.items() if group.update is not None}
    for name, update in updated.items():
        path: Path = ("cluster", "instance_groups", name, "update")
        if update.batch_nodes is not None and "batch_percent" in update.model_fields_set:
            yield (
                (*path, "batch_nodes"),
                "a batch is a number of nodes or a share of them, and both are given",
                "keep batch_nodes or batch_percent",
            )
        if roles[name] == {"prefill", "decode"}:
            yield (
                path,
                "the group holds prefill and decode: one update would take both away at once",
                "give each role a group of its own, or update by hand",
            )
            continue
        if "decode" not in roles[name]:
            continue
        for other, theirs in updated.items():
            if other != name and not windows_apart(update.window, theirs.window):
                yield (
                    (*path, "window"),
                    (
                        f"the decoder carries all traffic and needs a window of its own, but '{other}' is updated "
                        f"{theirs.window}"
                    ),
                    (
                        f"choose another weekday or an hour at least {HOURS_APART} hours away, one hour and named "
                        "weekdays in both"
                    ),
                )


def _patches(environment: Environment) -> Iterator[Complaint]:
    """Automatic patches have no window, and begin by cordoning the whole group until its nodes are idle."""
    roles = roles_of(environment)
    for name, group in environment.cluster.instance_groups.items():
        if group.auto_patch is not None and roles[name]:
            yield (
                ("cluster", "instance_groups", name, "auto_patch"),
                (
                    f"{group.auto_patch} cordons every node of the group until it runs nothing, and nodes that serve "
                    f"{' and '.join(sorted(roles[name], reverse=True))} never do: they stay as they are, and no pod "
                    "that restarts finds a node"
                ),
                "remove it here and give the group an update window",
            )


def _health_checks(environment: Environment) -> Iterator[Complaint]:
    for name, group in environment.cluster.instance_groups.items():
        checks = group.deep_health_checks
        if len(set(checks)) < len(checks):
            path: Path = ("cluster", "instance_groups", name, "deep_health_checks")
            yield path, "a check is listed twice", "list each once"


def _alternatives(environment: Environment) -> Iterator[Complaint]:
    """Types that HyperPod may take instead must run what the first one was planned for."""
    roles = roles_of(environment)
    for name, group in environment.cluster.instance_groups.items():
        path: Path = ("cluster", "instance_groups", name, "alternatives")
        if group.alternatives and group.capacity.kind == "training-plan":
            yield path, "a training plan is for one instance type", "drop them or the training plan"
        first = instance_types.get(group.instance_type)
        for index, other in enumerate(group.alternatives):
            known = instance_types.get(other)
            if other in (group.instance_type, *group.alternatives[:index]):
                yield (*path, index), f"'{other}' is listed twice", "list each type once"
            elif first is not None and roles[name]:
                yield from _serves_as_well(first, known, other, (*path, index))
            elif first is not None and known is not None and known.architecture != first.architecture:
                yield (
                    (*path, index),
                    (
                        f"'{other}' is {known.architecture} and {group.instance_type} {first.architecture}: images of "
                        "one do not run on the other"
                    ),
                    f"list {first.architecture} types only, or make a group of its own",
                )


def _serves_as_well(
    first: InstanceType, known: InstanceType | None, other: str, path: Path
) -> Iterator[Complaint]:
    """Pods ask for GPUs and EFA interfaces by number, and the engine was sized for one GPU's memory."""
    if known is None or (known.gpus, known.efa_interfaces) != (first.gpus, first.efa_interfaces):
        yield (
            path,
            (
                f"'{other}' is not known to have the {first.gpus} GPUs and {first.efa_interfaces} EFA interfaces of "
                f"{first.name}, which the endpoint's pods ask for"
            ),
            "list types with the same counts only",
        )
    elif (known.gpu_memory_gib or 0) < (first.gpu_memory_gib or 0):
        yield (
            path,
            (
                f"a GPU of '{other}' has {known.gpu_memory_gib} GiB, and the endpoint is sized for the "
                f"{first.gpu_memory_gib} GiB of {first.name}"
            ),
            f"make {other} the instance_type, and {first.name} its alternative",
        )


def _labels(environment: Environment) -> Iterator[Complaint]:
    """Keys that HyperPod, Kubernetes or this project sets itself, and selectors rely on."""
    for name, group in environment.cluster.instance_groups.items():
        for key in group.labels:
            domain = key.rpartition("/")[0]
            if key in _LABELS or domain in _LABEL_DOMAINS:
                yield (
                    ("cluster", "instance_groups", name, "labels", key),
                    f"'{key}' is a label that is set for you, and what selects nodes relies on it",
                    "choose a key of your own domain",
                )


def _budget(environment: Environment) -> Iterator[Complaint]:
    """AWS Budgets takes each address and each threshold once."""
    budget = environment.operations.budget
    for key in ("notify", "alert_percents") if budget is not None else ():
        entries = getattr(budget, key)
        for index, entry in enumerate(entries):
            if entry in entries[:index]:
                yield ("operations", "budget", key, index), f"{entry!r} is listed twice", "list each once"


def _replacements(environment: Environment) -> Iterator[Complaint]:
    for what, reason in environment.allow_replacement.items():
        if not reason.strip():
            path: Path = ("allow_replacement", what)
            yield path, "no reason is given", "write why losing what it holds is meant"
