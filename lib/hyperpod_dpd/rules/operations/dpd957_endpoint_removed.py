"""
What it checks
--------------
Endpoints that the earlier state has and the present one lacks.

Why it matters
--------------
Load balancer, target groups, certificate and SageMaker endpoint are made by the operator, and only the operator removes
them. Is it gone before the endpoint is deleted, they stay, cost money, and hold the VPC back from being deleted.

When this is fine
-----------------
When the endpoint is deleted while the operator runs, and its objects are seen to be gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.change import RemovalView

RULE = Rule(
    id="DPD957",
    name="endpoint-removed",
    severity=Severity.WARNING,
    title="An endpoint is removed, and only the operator can clear up after it",
    fix="delete the endpoint while the operator runs, wait until it is gone, and only then remove operator or cluster",
    sources=("hyperpod-dpd, order of removal: endpoints, operator, cluster, VPC",),
    applies_to=AppliesTo.REMOVAL,
    tags=("change", "operations"),
    example=Example(
        before="a folder that no longer holds an endpoint of the earlier one",
        after="a folder that holds every endpoint of the earlier one",
        of="removal",
    ),
)


def check(removal: RemovalView) -> Iterator[Hit]:
    endpoint = removal.before
    pods = sum(role.replicas for role in endpoint.roles)
    named = endpoint.get("endpointName")
    sagemaker = f", the SageMaker endpoint '{named}'" if named else ""
    yield Hit(
        ("metadata", "name"),
        f"'{endpoint.name}' is there no more: its {pods} worker pods, load balancer{sagemaker} and certificate are "
        "the operator's to remove",
    )
