"""
What it checks
--------------
That a network of our own has NAT gateways, or is declared closed and so gets interface endpoints.

Why it matters
--------------
Without either, a node cannot reach the registry, the EKS API or the service that tells it that it belongs to a
cluster. Creation waits for hours and rolls back.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD231",
    name="no-way-out",
    severity=Severity.ERROR,
    title="The nodes reach neither the internet nor AWS services",
    fix=(
        "set network.closed to true (interface endpoints and mirrored images), or network.nat to "
        "single or per-zone"
    ),
    sources=(
        "SageMaker developer guide, HyperPod EKS prerequisites, private subnets",
        "HyperPod EKS Terraform modules of awsome-distributed-ai, closed network",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.2",),
    tags=("network",),
    example=Example(
        of="environment",
        before="network: {nat: none}",
        after="network: {nat: none, closed: true}",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    network = environment.document.network
    if network.existing is None and network.nat == "none" and not network.closed:
        yield Hit(
            ("network", "nat"), "there is no NAT gateway, and without 'closed' no interface endpoint either"
        )
