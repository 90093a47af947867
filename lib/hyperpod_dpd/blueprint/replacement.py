"""Refuse a document that would replace what is locked, unless it says so with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.blueprint.immutable import gone, replaced
from hyperpod_dpd.config import Fault, InvalidEnvironment
from hyperpod_dpd.document import Path

if TYPE_CHECKING:
    from hyperpod_dpd.blueprint.model import Blueprint
    from hyperpod_dpd.config import LoadedEnvironment

_PLACES: tuple[tuple[str, Path], ...] = (
    ("account", ("account",)),
    ("region", ("region",)),
    ("vpc", ("network",)),
    ("subnet ", ("network",)),
    ("eks-cluster kubernetes", ("cluster", "kubernetes_version")),
    ("eks-cluster zones", ("network", "control_plane_zones")),
    ("operator release", ("operator", "release")),
    ("eks-cluster secrets key", ("storage", "own_kms_keys")),
    ("eks-cluster", ("cluster",)),
    ("hyperpod-cluster subnet", ("cluster", "instance_groups")),
    ("instance-group ", ("cluster", "instance_groups")),
    ("file-system", ("storage", "file_system")),
)
"""Beginning of a fact's name to the part of the document that decides it."""


def refuse_replacement(loaded: LoadedEnvironment, blueprint: Blueprint) -> None:
    """Raises InvalidEnvironment with every locked fact that this document would change without a reason."""
    faults = list(_faults(loaded, blueprint))
    if faults:
        raise InvalidEnvironment(loaded.document.file, faults)


def _faults(loaded: LoadedEnvironment, blueprint: Blueprint) -> Iterator[Fault]:
    allowed = loaded.environment.allow_replacement
    if not loaded.locks.immutable.facts:
        return
    changes = replaced(loaded.locks.immutable, blueprint)
    for name, (locked, now) in changes.items():
        if name not in allowed:
            path = next((place for start, place in _PLACES if name.startswith(start)), ())
            becomes = f"becomes '{now}'" if now is not None else "would go"
            why, fix = _refusal(loaded.name, name)
            yield Fault(
                loaded.document.file,
                loaded.document.where(path),
                path,
                f"'{name}' is deployed as '{locked}' and {becomes}; {why}",
                fix,
            )
    for name in allowed:
        if name not in changes and name not in loaded.locks.immutable.logical_ids:
            path = ("allow_replacement", name)
            yield Fault(
                loaded.document.file,
                loaded.document.where(path),
                path,
                f"nothing locked named '{name}' would be replaced",
                f"remove it; after a replacement `dpd lock {loaded.name}` writes the new facts",
            )


def _refusal(environment: str, name: str) -> tuple[str, str]:
    """Why AWS does not make the change, with its source, and the way to what is wanted."""
    if name == "eks-cluster kubernetes":
        return (
            (
                "EKS raises a control plane by one minor version at a time and never lowers it (EKS user guide, "
                "update a cluster's Kubernetes version); it cannot change in place"
            ),
            "go up one minor version, deploy, see that add-ons and nodes follow, `dpd lock` again, then the next",
        )
    if name == "eks-cluster zones":
        return (
            (
                "EKS takes further subnets in the zones that the cluster was made in only (EKS user guide, VPC and "
                "subnet requirements); it cannot change in place"
            ),
            "keep control_plane_zones within the locked ones; accelerator_zones may lie in any zone of the Region",
        )
    if name == "operator release":
        return (
            (
                "no page of AWS offers a way back to an earlier operator: its custom resources are stored in the "
                "form of the later one; it cannot change in place"
            ),
            "stay on the locked release or go up; see `dpd runbook upgrade-operator " + environment + "`",
        )
    if name.startswith("instance-group ") and name.endswith((" type", " kind", " threads per core", " role")):
        group = name.removeprefix("instance-group ")
        for end in (" type", " kind", " threads per core", " role"):
            group = group.removesuffix(end)
        return (
            (
                "an instance group keeps its type, kind, threads per core and role for life (SageMaker developer "
                "guide, UpdateCluster); it cannot change in place"
            ),
            (
                f"1. leave '{group}' as it is and add a group beside it, such as '{group}-2', with the new value; "
                f"2. deploy '{environment}/hyperpod' and `dpd nodes {environment} --wait`; 3. name the new group in "
                "instance_group of the roles that use it, render and apply; 4. when its pods serve, take "
                f"'{group}' out of the document and deploy again; 5. `dpd lock {environment}`"
            ),
        )
    return (
        "it cannot change in place, so what it holds would be lost",
        f"undo the change, or say why it is meant: allow_replacement: {{'{name}': reason}}",
    )


def lost_logical_ids(loaded: LoadedEnvironment, templates: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A sentence for each stack and type of which a locked logical id is gone."""
    return [
        f"{loaded.document.file}: {key.replace(' ', ': ')} {', '.join(ids)} is locked and no more in the "
        "template: CloudFormation would delete what it names; keep the construct ids, or run "
        f"`dpd lock {loaded.name} --templates cdk.out` after the resource was moved on purpose"
        for key, ids in gone(loaded.locks.immutable, templates).items()
        if key not in loaded.environment.allow_replacement
    ]
