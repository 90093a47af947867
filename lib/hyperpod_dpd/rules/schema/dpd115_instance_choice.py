"""
What it checks
--------------
That exactly one of the three ways to choose nodes is used.

Why it matters
--------------
The fields exclude each other by their description, and nothing in the resource enforces it: which one counts is not
defined. Without any, the pods have no instance type to be placed on.

When this is fine
-----------------
Never with two of them. A colocated endpoint with none is only warned, because that it fails is not confirmed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD115",
    name="instance-choice",
    severity=Severity.ERROR,
    title="Not exactly one of instanceType, instanceTypes and nodeAffinity",
    fix="keep one of instanceType, instanceTypes and nodeAffinity",
    sources=(
        "InferenceEndpointConfig CRD, operator 3.2, descriptions of the three fields",
        "HyperPod CLI, model of the endpoint template 1.2",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R12",),
    tags=("placement",),
    example=Example(before="spec: {instanceTypes: [ml.p5.48xlarge]}", after="spec: {instanceTypes: null}"),
)

_WAYS = ("instanceType", "instanceTypes", "nodeAffinity")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    given = [way for way in _WAYS if endpoint.spec.get(way)]
    if len(given) > 1:
        yield Hit(
            ("spec", given[1]),
            f"{' and '.join(given)} are set, and they exclude each other",
            fix=f"remove {' and '.join(given[1:])}, or keep that and remove {given[0]}",
        )
    elif not given:
        yield Hit(
            ("spec", "instanceType"),
            "none of instanceType, instanceTypes and nodeAffinity says which nodes to use",
            None if endpoint.disaggregated else Severity.WARNING,
            fix="add instanceType",
        )
