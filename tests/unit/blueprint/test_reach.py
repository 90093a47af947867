"""Endpoints of a closed network follow from what the document turns on."""

from __future__ import annotations

from typing import Any

import pytest

from hyperpod_dpd.blueprint.model import NetworkPlan
from hyperpod_dpd.blueprint.resolve import resolve
from hyperpod_dpd.config import load_document
from hyperpod_dpd.document import Document
from tests.support.documents import ENVIRONMENTS, environment
from tests.support.merging import merged

ALWAYS = {
    "ec2",
    "ecr.api",
    "ecr.dkr",
    "sts",
    "logs",
    "monitoring",
    "ssm",
    "ssmmessages",
    "ec2messages",
    "eks",
    "eks-auth",
    "elasticloadbalancing",
    "sagemaker.api",
    "sagemaker.runtime",
}
QUIET = {"observability": {"enabled": False}}
SECRETS = {"secrets": {"hf": {"keys": {"token": {"name": "llm/hf"}}}}}


def network(changes: dict[str, Any], base: str = "closed-network") -> NetworkPlan:
    path = ENVIRONMENTS / f"{base}.yaml"
    return resolve(load_document(Document(merged(environment(base), changes), str(path)), path)).network


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        (QUIET, set()),
        ({}, {"aps-workspaces", "grafana-workspace", "secretsmanager"}),
        ({"observability": {"grafana": "external"}}, {"aps-workspaces"}),
        ({"observability": {"grafana_operator": False}}, {"aps-workspaces"}),
        ({**QUIET, **SECRETS}, {"secretsmanager"}),
        (
            {**QUIET, **SECRETS, "platform": {"external_secrets": {"identity": False}}},
            {"secretsmanager"},
        ),
        ({**QUIET, "storage": {"file_system": {"capacity_gib": 4800}}}, {"fsx"}),
        (
            {
                **QUIET,
                "endpoints": {"llama-70b": {"prefill": {"autoscaling": {"max_replicas": 3}}}},
            },
            {"aps-workspaces"},
        ),
        ({**QUIET, "network": {"more_endpoints": ["acm", "ec2"]}}, {"acm"}),
    ],
)
def test_what_is_called_gets_an_endpoint(changes: dict[str, Any], more: set[str]) -> None:
    plan = network(changes)
    assert set(plan.interface_endpoints) == ALWAYS | more
    assert len(plan.interface_endpoints) == len(set(plan.interface_endpoints))
    assert plan.closed and plan.their_endpoints == ()


def test_an_open_network_gets_what_is_asked_for_only() -> None:
    assert network({}, "dev").interface_endpoints == ()
    plan = network({"network": {"more_endpoints": ["bedrock-runtime"]}}, "dev")
    assert plan.interface_endpoints == ("bedrock-runtime",) and not plan.closed


def test_the_owner_of_a_vpc_says_what_it_has() -> None:
    some = network({"network": {"existing": {"interface_endpoints": ["ec2", "sts", "s3"]}}})
    assert some.their_endpoints == ("ec2", "sts")
    assert set(some.interface_endpoints) >= ALWAYS - {"ec2", "sts"}
    assert not {"ec2", "sts", "s3"} & set(some.interface_endpoints)
    choices = {"ec2": "use", "sts": "leave-out", "acm": "create", "s3": "use"}
    chosen = network({"network": {"existing": {"interface_endpoints": choices}}})
    assert chosen.their_endpoints == ("ec2",)
    assert chosen.left_out_endpoints == ("sts",)
    assert set(chosen.interface_endpoints) >= (ALWAYS - {"ec2", "sts"}) | {"acm"}
    assert not {"ec2", "sts", "s3"} & set(chosen.interface_endpoints)
    everything = network({"network": {"existing": {"interface_endpoints": True}}})
    assert everything.interface_endpoints == () and everything.closed
    assert set(everything.their_endpoints) >= ALWAYS
