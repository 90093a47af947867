"""
What it checks
--------------
Whether the model routes tokens over experts.

Why it matters
--------------
AWS says such models typically gain nothing; llm-d recommends disaggregating them, but together with wide
expert parallelism, which HyperPod's DPD does not offer. Without it the precondition of the recommendation is
missing.

When this is fine
-----------------
Where your own measurement, per GPU, shows a gain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD802",
    name="mixture-of-experts",
    severity=Severity.WARNING,
    title="The model is a mixture of experts",
    fix="serve it colocated, or self-managed with expert parallelism over several nodes, or bring a measurement",
    sources=(
        "SageMaker developer guide, DPD page, when it pays and known limits",
        "llm-d, guide to P/D disaggregation, where it names sparse models with wide expert parallelism",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R171",
        "F-03",
        "S7.8-6",
        "S8.2-5",
    ),
    tags=(
        "suitability",
        "divergence",
    ),
    example=Example(
        before="""
spec: {modelName: Qwen3-235B-A22B}
metadata: {annotations: {dpd.check/model: qwen3-235b-a22b}}
""",
        after="spec: {modelName: Llama-3.3-70B-Instruct}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    model = endpoint.model
    if model.mixture_of_experts:
        name = model.entry.name if model.entry else model.geometry.name or "this model"
        yield Hit(
            ("spec", "modelName"),
            f"{name} is a mixture of experts; AWS says those typically gain nothing from DPD, which has no expert "
            "parallelism",
        )
