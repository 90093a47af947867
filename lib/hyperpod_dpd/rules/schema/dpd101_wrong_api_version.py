"""
What it checks
--------------
That an object which looks like an InferenceEndpointConfig has the API version that knows disaggregation.

Why it matters
--------------
v1alpha1 is still served but has no pdSpec, no per-role arguments and no routing: all of it is dropped, and a
colocated endpoint comes up. A group that does not exist is refused by the API server.

When this is fine
-----------------
Never for a disaggregated endpoint.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.iec.identity import Kind, identify
from hyperpod_dpd.rules.rule import AppliesTo, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.object import ObjectView

RULE = Rule(
    id="DPD101",
    name="wrong-api-version",
    severity=Severity.ERROR,
    title="Not the API version that knows disaggregation",
    fix="write apiVersion: inference.sagemaker.aws.amazon.com/v1 and kind: InferenceEndpointConfig",
    sources=("InferenceEndpointConfig CRD, operator 3.2, versions v1 and v1alpha1",),
    applies_to=AppliesTo.OBJECT,
    covers=("R01", "E-79", "E-83", "E-91"),
    tags=("schema",),
)

_FOREIGN = (Kind.OTHER_KUBERNETES,)


def check(item: ObjectView) -> Iterator[Hit]:
    identity = identify(item.value)
    if identity.kind not in (Kind.ENDPOINT, *_FOREIGN):
        path = ("apiVersion",) if "apiVersion" in item.value else ("kind",)
        yield Hit(path, identity.message, fix=identity.fix)
