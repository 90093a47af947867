"""Nodes that join: a cluster with continuous provisioning is in service before it has any, and add-ons need some."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.live.aws import Aws, NoAccess

MOST_REASONS = 3
GIVEN_UP = ("Failed", "RollingBack", "Deleting")
"""States of a cluster in which no further node joins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupNodes:
    """One instance group now: nodes wanted and running, the others by state, and why some are missing."""

    group: str
    wanted: int
    running: int
    others: Mapping[str, int]
    reasons: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return self.running >= self.wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterNodes:
    """The cluster's state, with its failure if it has one, and every group of the document."""

    status: str
    failure: str
    groups: tuple[GroupNodes, ...]

    @property
    def complete(self) -> bool:
        return self.status == "InService" and all(group.complete for group in self.groups)

    @property
    def given_up(self) -> bool:
        return self.status in GIVEN_UP


def look(aws: Aws, blueprint: Blueprint) -> ClusterNodes:
    """The nodes of this moment. Raises NoAccess; KeyError where AWS knows no such cluster."""
    name = blueprint.cluster.hyperpod_name
    cluster = aws.call("sagemaker", "describe_cluster", ClusterName=name)
    nodes = aws.pages("sagemaker", "list_cluster_nodes", "ClusterNodeSummaries", ClusterName=name)
    groups = []
    for plan in blueprint.cluster.groups:
        own = [node for node in nodes if node["InstanceGroupName"] == plan.name]
        states = Counter(node["InstanceStatus"]["Status"] for node in own)
        running = states.pop("Running", 0)
        short = running < plan.count
        groups.append(
            GroupNodes(
                group=plan.name,
                wanted=plan.count,
                running=running,
                others=dict(sorted(states.items())),
                reasons=_reasons(aws, name, plan.name, own) if short else (),
            )
        )
    return ClusterNodes(
        status=cluster["ClusterStatus"], failure=cluster.get("FailureMessage", ""), groups=tuple(groups)
    )


def wait(
    aws: Aws,
    blueprint: Blueprint,
    *,
    timeout_seconds: float,
    interval_seconds: float,
    told: Callable[[ClusterNodes], None],
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> ClusterNodes:
    """The last look: at a complete cluster, at one that has given up, or at the deadline. Raises as ``look``."""
    deadline = clock() + timeout_seconds
    while True:
        found = look(aws, blueprint)
        told(found)
        left = deadline - clock()
        if found.complete or found.given_up or left <= 0:
            return found
        sleep(min(interval_seconds, left))


def _reasons(aws: Aws, cluster: str, group: str, nodes: list[dict[str, Any]]) -> tuple[str, ...]:
    """What nodes that do not run say, then the newest errors among the group's events."""
    said = [
        f"{node['InstanceId']}: {node['InstanceStatus']['Message']}"
        for node in nodes
        if node["InstanceStatus"]["Status"] != "Running" and node["InstanceStatus"].get("Message")
    ]
    try:
        events = aws.call(
            "sagemaker",
            "list_cluster_events",
            ClusterName=cluster,
            InstanceGroupName=group,
            SortBy="EventTime",
            SortOrder="Descending",
        )["Events"]
    except (NoAccess, KeyError) as error:
        said.append(f"the cluster's events could not be read: {str(error).strip(chr(39))}")
        events = []
    said += [event["Description"] for event in events if event.get("EventLevel") == "Error"]
    return tuple(dict.fromkeys(said))[:MOST_REASONS]
