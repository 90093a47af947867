"""The way back: in an order that leaves nothing behind unsaid."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hyperpod_dpd.blueprint.model import Blueprint
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.blueprint.stacks import stacks_of
from hyperpod_dpd.blueprint.teardown import endpoint_teardown, environment_teardown
from hyperpod_dpd.config import load_environment
from tests.support.command import dpd
from tests.support.documents import ENVIRONMENTS


def blueprint(name: str) -> Blueprint:
    return resolve(load_environment(ENVIRONMENTS / f"{name}.yaml"))


def commands(name: str) -> list[str]:
    made = blueprint(name)
    found = environment_teardown(made, stacks_of(made))
    return [line for step in found.steps for line in step.commands]


def first(lines: list[str], part: str) -> int:
    return next(i for i, line in enumerate(lines) if part in line)


@pytest.mark.parametrize("name", sorted(p.stem for p in ENVIRONMENTS.glob("*.yaml")))
def test_endpoints_go_while_the_operator_runs_and_the_network_last(name: str) -> None:
    lines = commands(name)
    endpoint = first(lines, "kubectl wait --for=delete inferenceendpointconfig")
    balancer = first(lines, "kubectl wait --for=delete ingress/")
    order = [first(lines, f"'{name}/{stack}'") for stack in ("addons", "hyperpod", "storage", "network")]
    assert endpoint < balancer < order[0]
    assert order == sorted(order)
    assert order[-1] == len(lines) - 1
    assert first(lines, "guardduty") < order[-1]


def test_buckets_are_emptied_where_they_go_and_named_where_they_stay() -> None:
    dev, prod = commands("dev"), commands("prod")
    made = blueprint("dev")
    empties = [line for line in dev if "list-object-versions" in line]
    assert len(empties) == 4
    assert all("DeleteMarkers" in line for line in empties), "old versions and markers count as contents"
    assert max(map(dev.index, empties)) < first(dev, "'dev/storage'")
    assert not [line for line in prod if "delete-object" in line]
    stays = environment_teardown(blueprint("prod"), stacks_of(blueprint("prod"))).stays
    assert any(blueprint("prod").buckets.models in line for line in stays)
    assert made.buckets.models not in " ".join(environment_teardown(made, stacks_of(made)).stays)


def test_a_kept_file_system_is_decided_on_before_the_network_that_it_stands_in_goes() -> None:
    made = blueprint("prod")
    assert made.file_system is not None and made.buckets.retain
    lines = commands("prod")
    delete = first(lines, "fsx delete-file-system")
    assert first(lines, "'prod/storage'") < delete < first(lines, "'prod/network'")
    assert "dpd-prod-models" in lines[delete]
    assert not [line for line in commands("closed-network") if "fsx" in line]


def test_everything_that_a_template_retains_is_said_to_stay() -> None:
    stays = " ".join(environment_teardown(blueprint("prod"), stacks_of(blueprint("prod"))).stays)
    for word in ("buckets", "keys", "FSx", "Prometheus workspace dpd-prod", "dpd-prod/pods", "alert topic"):
        assert word in stays, word


def test_a_stack_that_is_not_made_is_not_destroyed() -> None:
    made = blueprint("dev")
    assert made.observability is not None
    silent = replace(made, observability=replace(made.observability, enabled=False))
    assert "observability" in stacks_of(made)
    assert "observability" not in stacks_of(silent)


def test_production_is_unprotected_first_and_only_production() -> None:
    prod = commands("prod")
    lifted = [line for line in prod if "--no-enable-termination-protection" in line]
    assert len(lifted) == len(stacks_of(blueprint("prod")))
    assert prod.index(lifted[-1]) < first(prod, "npx cdk destroy")
    assert first(prod, "--no-deletion-protection") < first(prod, "npx cdk destroy")
    assert not [line for line in commands("dev") if "protection" in line]


def test_somebody_elses_cluster_stays() -> None:
    lines = commands("existing-cluster")
    assert not [line for line in lines if "control-plane" in line]
    made = blueprint("existing-cluster")
    stays = environment_teardown(made, stacks_of(made)).stays
    assert any("platform" in line and "not ours" in line for line in stays)


def test_weights_that_another_endpoint_reads_stay() -> None:
    made = blueprint("dev")
    (one,) = made.endpoints
    alone = endpoint_teardown(made, one, weights=True)
    deletes = [line for step in alone.steps for line in step.commands if "delete-object" in line]
    assert len(deletes) == 1
    assert "--prefix models/llama-3.3-70b-instruct/" in deletes[0]
    two = replace(made, endpoints=(one, replace(one, name="llama-70b-b")))
    shared = endpoint_teardown(two, one, weights=True, groups_to_zero=True)
    assert not [line for step in shared.steps for line in step.commands if "delete-object" in line]
    assert any("llama-70b-b" in line for line in shared.stays)
    assert not [step for step in shared.steps if "count: 0" in step.title], "the other one uses the groups"


def test_gitops_endpoints_leave_the_repository_first() -> None:
    made = blueprint("closed-network")
    found = endpoint_teardown(made, made.endpoints[0])
    assert "commit without dist/closed-network/endpoint-llama-70b" in found.steps[0].title


def test_the_verb_prints_and_never_acts() -> None:
    environment = str(ENVIRONMENTS / "dev.yaml")
    assert dpd("teardown", environment).status == 2
    plan = dpd("teardown", environment, "--plan", "--format", "json")
    assert plan.status == 0
    assert {"steps", "stays"} <= set(json.loads(plan.out))
    assert dpd("teardown", environment, "--plan", "--endpoint", "nobody").status == 2
    assert dpd("teardown", environment, "--plan", "--weights").status == 2
    assert "$ kubectl delete" in dpd("teardown", environment, "--plan", "--endpoint", "llama-70b").out


def test_cost_is_told_in_nodes_and_gpus() -> None:
    told = json.loads(dpd("cost", str(ENVIRONMENTS / "prod.yaml"), "--format", "json").out)
    assert told["total"] == {"nodes": 7, "max_nodes": 9, "gpus": 32, "max_gpus": 48}
    assert "32 GPUs" in dpd("cost", str(ENVIRONMENTS / "prod.yaml")).out


@pytest.mark.parametrize("name", ["dev", "closed-network"])
def test_an_app_goes_as_it_came_for_its_kustomization_is_no_object(name: str) -> None:
    deleted = [line for line in commands(name) if "kubectl delete" in line and "dist/" in line]
    assert deleted and all(" delete -k " in line for line in deleted)
