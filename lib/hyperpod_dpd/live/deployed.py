"""What stands in the account already, and what the document would do to it: by the table of changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hyperpod_dpd.blueprint.changes import compared, consequences
from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.live.aws import Aws
from hyperpod_dpd.live.check import Check


def deployed(aws: Aws, blueprint: Blueprint) -> Iterator[Check]:
    """One check for each fact of the running clusters that the document changes at a price; none where none run."""
    if blueprint.cluster.existing is not None:
        return
    before = {**_eks(aws, blueprint.cluster.eks_name), **_hyperpod(aws, blueprint.cluster.hyperpod_name)}
    if not before:
        return
    now = compared(blueprint)
    found = list(consequences(before, {fact: now[fact] for fact in before if fact in now}))
    for each in found:
        yield Check(
            subject=each.fact,
            verdict="error",
            message=f"runs as {each.was}, the document says {each.now}: {each.row.consequence}",
            fix=each.way(blueprint.name),
        )
    if not found:
        yield Check(
            subject="running clusters", verdict="ok", message="the document changes nothing at a price"
        )


def _eks(aws: Aws, name: str) -> dict[str, str]:
    if name not in aws.call("eks", "list_clusters")["clusters"]:
        return {}
    return {"kubernetes version": aws.call("eks", "describe_cluster", name=name)["cluster"]["version"]}


def _hyperpod(aws: Aws, name: str) -> dict[str, str]:
    listed = aws.pages("sagemaker", "list_clusters", "ClusterSummaries", NameContains=name)
    if name not in {each["ClusterName"] for each in listed}:
        return {}
    groups: list[dict[str, Any]] = aws.call("sagemaker", "describe_cluster", ClusterName=name)[
        "InstanceGroups"
    ]
    return {f"instance-group {each['InstanceGroupName']} type": each["InstanceType"] for each in groups}
