"""
What it checks
--------------
InitialReplicaCount, and spec.replicas beside pdSpec.

Why it matters
--------------
InitialReplicaCount is deprecated and does nothing. With pdSpec each role has its own count; what spec.replicas then
does is not documented, and it does not make more prefillers.

When this is fine
-----------------
spec.replicas on a colocated endpoint, which is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD117",
    name="ignored-replicas",
    severity=Severity.WARNING,
    title="A replica count that does not count",
    fix="remove it and set replicas in pdSpec.prefillSpec and pdSpec.decodingSpec",
    sources=("InferenceEndpointConfig CRD, operator 3.2, replicas and InitialReplicaCount",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R15",),
    tags=("scaling",),
    example=Example(
        before="spec: {replicas: 3}", after="spec: {replicas: null, pdSpec: {prefillSpec: {replicas: 1}}}"
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.spec.get("InitialReplicaCount") is not None:
        yield Hit(
            ("spec", "InitialReplicaCount"),
            "InitialReplicaCount is deprecated and has no effect",
            fix="remove InitialReplicaCount" + ("" if endpoint.disaggregated else " and set replicas"),
        )
    replicas = endpoint.spec.get("replicas")
    if endpoint.disaggregated and isinstance(replicas, int) and replicas != 1:
        yield Hit(
            ("spec", "replicas"),
            f"replicas is {replicas}, and it is not the count of any role of pdSpec; its effect is not confirmed",
        )
