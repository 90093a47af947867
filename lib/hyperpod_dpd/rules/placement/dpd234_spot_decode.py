"""
What it checks
--------------
That no instance group which a decoder selects is bought as Spot.

Why it matters
--------------
Both paths end at the decoder, and there is one. When its node is reclaimed, all requests in flight fail and
nothing is served until another node has loaded the weights, in five to ten minutes.

When this is fine
-----------------
For load tests and other work that may stop at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD234",
    name="spot-decode",
    severity=Severity.WARNING,
    title="The decoder runs on Spot capacity",
    fix="buy the decoder's nodes on demand or through a training plan",
    sources=(
        "SageMaker developer guide, HyperPod Spot instances: reclaimed at short notice",
        "SageMaker developer guide, DPD page: every request ends at the decoder",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("I3-spot",),
    tags=("capacity",),
    example=Example(
        of="environment",
        before="cluster: {instance_groups: {decode: {capacity: spot}}}",
        after="cluster: {instance_groups: {prefill: {capacity: spot}}}",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    users: dict[str, list[str]] = {}
    for endpoint in environment.blueprint.endpoints:
        role = endpoint.role("decode")
        if role is not None:
            users.setdefault(role.group, []).append(endpoint.name)
    for group in environment.blueprint.cluster.groups:
        if group.capacity == "spot" and group.name in users:
            yield Hit(
                ("cluster", "instance_groups", group.name, "capacity"),
                f"group '{group.name}' is Spot capacity and runs the decoder of {', '.join(users[group.name])}: when "
                "it is reclaimed, all traffic stops",
            )
