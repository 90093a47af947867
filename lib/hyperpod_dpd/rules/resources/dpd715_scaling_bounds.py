"""
What it checks
--------------
That a role's scaling has a minimum that is not above its maximum (an error), and that the minimum is the
role's replicas (a warning).

Why it matters
--------------
KEDA refuses bounds in the wrong order. Where replicas and the minimum differ, each new rollout of the
manifest and the scaler pull the role to two different sizes, and a model has to be loaded each time.

When this is fine
-----------------
Where the number of replicas is meant for the first start only (the warning).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.scaling import BLOCKS, scaling_of

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD715",
    name="scaling-bounds",
    severity=Severity.ERROR,
    title="A role's scaling bounds do not fit together",
    fix="set minReplicaCount to the role's replicas, and maxReplicaCount not below",
    sources=("KEDA documentation, ScaledObject", "InferenceEndpointConfig CRD, operator 3.2"),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R153",),
    tags=("scaling",),
    example=Example(
        before="""
spec:
  pdSpec:
    autoScalingSpec:
      prefillAutoScaling: {minReplicaCount: 3, maxReplicaCount: 2, prometheusTrigger: {query: up}}
""",
        after="""
spec:
  pdSpec:
    autoScalingSpec:
      prefillAutoScaling: {minReplicaCount: 1, maxReplicaCount: 2, prometheusTrigger: {query: up}}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for role in endpoint.roles:
        scaling = scaling_of(endpoint, role.role) if role.role in BLOCKS else None
        if scaling is None:
            continue
        least, most = scaling.min_replicas, scaling.max_replicas
        if least > most:
            yield Hit(
                scaling.path,
                f"minReplicaCount of {role.role} is {least}, above its maxReplicaCount of {most}",
            )
        elif role.replicas != least:
            yield Hit(
                scaling.path,
                f"{role.role} has {role.replicas} replicas and scales from {least} to {most}",
                Severity.WARNING,
                f"set minReplicaCount to {role.replicas}, or replicas to {least}",
            )
