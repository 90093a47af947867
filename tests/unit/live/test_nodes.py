"""Nodes that join, answered by a cluster that is written down here: moto provisions nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_environment
from hyperpod_dpd.live import nodes
from hyperpod_dpd.live.aws import Aws, NoAccess
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS

LOADED = load_environment(ENVIRONMENTS / "dev.yaml")
BLUEPRINT = resolve(LOADED)


def node(group: str, status: str = "Running", message: str = "") -> dict[str, Any]:
    told = {"Status": status, **({"Message": message} if message else {})}
    return {"InstanceGroupName": group, "InstanceId": f"i-{group}", "InstanceStatus": told}


ALL = [node("system"), node("system"), node("prefill"), node("decode")]


class Cluster(Aws):
    """A cluster whose nodes differ from look to look; the last state stays."""

    def __init__(self, *looks: list[dict[str, Any]], status: str = "InService", denied: bool = False) -> None:
        super().__init__(LOADED)
        self.looks, self.status, self.denied = list(looks), status, denied

    def call(self, service: str, operation: str, **parameters: Any) -> Any:
        assert service == "sagemaker"
        assert parameters["ClusterName"] == "dpd-dev"
        if operation == "list_cluster_nodes":
            return {"ClusterNodeSummaries": self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]}
        if operation == "list_cluster_events":
            if self.denied:
                raise NoAccess("sagemaker:ListClusterEvents is not allowed to these credentials")
            short = {
                "EventLevel": "Error",
                "Description": f"no capacity for {parameters['InstanceGroupName']}",
            }
            return {"Events": [{"EventLevel": "Info", "Description": "begun"}, short]}
        assert operation == "describe_cluster"
        failure = {"FailureMessage": "rolled back"} if self.status == "Failed" else {}
        return {"ClusterStatus": self.status, **failure}


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def wait(aws: Aws, timeout: float = 100.0) -> tuple[nodes.ClusterNodes, float, int]:
    clock, told = Clock(), []
    found = nodes.wait(
        aws,
        BLUEPRINT,
        timeout_seconds=timeout,
        interval_seconds=20,
        told=told.append,
        clock=lambda: clock.now,
        sleep=clock.sleep,
    )
    return found, clock.now, len(told)


def test_a_cluster_in_service_without_nodes_is_not_complete() -> None:
    found = nodes.look(Cluster([]), BLUEPRINT)
    assert found.status == "InService"
    assert not found.complete
    assert [(g.group, g.running, g.wanted) for g in found.groups] == [
        ("system", 0, 2),
        ("prefill", 0, 1),
        ("decode", 0, 1),
    ]
    assert found.groups[2].reasons == ("no capacity for decode",)


def test_the_wait_ends_when_the_last_node_runs() -> None:
    found, waited, looks = wait(Cluster([], ALL[:3], ALL))
    assert found.complete
    assert (waited, looks) == (40.0, 3)


def test_the_wait_ends_at_the_deadline_with_the_reasons() -> None:
    pending = node("decode", "Pending", "waits for its life cycle script")
    found, waited, _ = wait(Cluster([*ALL[:3], pending]), timeout=50)
    assert waited == 50.0
    assert not found.complete
    (decode,) = [g for g in found.groups if not g.complete]
    assert decode.others == {"Pending": 1}
    assert decode.reasons == ("i-decode: waits for its life cycle script", "no capacity for decode")


@pytest.mark.parametrize("status", nodes.GIVEN_UP)
def test_a_cluster_that_has_given_up_is_not_waited_for(status: str) -> None:
    found, waited, _ = wait(Cluster([], status=status))
    assert (found.given_up, waited) == (True, 0.0)


def test_a_cluster_being_created_is_waited_for_though_its_nodes_run() -> None:
    found, waited, _ = wait(Cluster(ALL, status="Creating"))
    assert (found.complete, waited) == (False, 100.0)


def test_events_that_may_not_be_read_are_said() -> None:
    found = nodes.look(Cluster([], denied=True), BLUEPRINT)
    assert "could not be read" in found.groups[0].reasons[0]


@pytest.mark.parametrize(("looks", "status"), [([ALL], 0), ([[]], 1)])
def test_the_verb_says_it_with_its_status(
    monkeypatch: pytest.MonkeyPatch, looks: list[list[dict[str, Any]]], status: int
) -> None:
    monkeypatch.setattr("hyperpod_dpd.live.aws.Aws", lambda loaded: Cluster(*looks))
    outcome = dpd("nodes", str(ENVIRONMENTS / "dev.yaml"), "--format", "json")
    assert outcome.status == status
    told = json.loads(outcome.out)
    assert told["complete"] is (status == 0)
    assert [g["group"] for g in told["groups"]] == ["system", "prefill", "decode"]
    text = dpd("nodes", str(ENVIRONMENTS / "dev.yaml"))
    assert text.status == status
    assert ("all nodes have joined" if status == 0 else "no capacity for decode") in text.out


def test_a_cluster_that_is_not_deployed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nowhere(Cluster):
        def call(self, service: str, operation: str, **parameters: Any) -> Any:
            raise KeyError("sagemaker:describe_cluster: not found")

    monkeypatch.setattr("hyperpod_dpd.live.aws.Aws", lambda loaded: Nowhere([]))
    outcome = dpd("nodes", str(ENVIRONMENTS / "dev.yaml"), "--wait")
    assert outcome.status == 2
    assert "deploy 'dev/hyperpod' first" in outcome.err
