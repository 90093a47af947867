"""
What it checks
--------------
That an endpoint with pdSpec has no dynamoSpec.

Why it matters
--------------
Each of them makes its own prefill and decode pods with its own connector. Together they ask for the GPUs twice, for
two engines behind one name.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD116",
    name="two-engines",
    severity=Severity.ERROR,
    title="Two ways of disaggregation on one endpoint",
    fix="keep pdSpec or dynamoSpec, not both",
    sources=("SageMaker developer guide, managed NVIDIA Dynamo on HyperPod",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R13",),
    tags=("schema",),
    example=Example(before="spec: {dynamoSpec: {}}", after="spec: {dynamoSpec: null}"),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.spec.get("dynamoSpec") is not None:
        yield Hit(
            ("spec", "dynamoSpec"),
            "dynamoSpec stands beside pdSpec; each makes its own prefill and decode pods",
        )
