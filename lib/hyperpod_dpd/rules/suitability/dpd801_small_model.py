"""
What it checks
--------------
That a dense model on a disaggregated endpoint has at least the parameters from which AWS recommends DPD.
Mixtures of experts have a rule of their own.

Why it matters
--------------
A small model prefills fast, so there is little interference to remove, while moving the KV cache costs the
same: twice the GPUs for no gain.

When this is fine
-----------------
Where a measurement of your own traffic shows steadier inter-token latency; acknowledge it with that report.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD801",
    name="small-model",
    severity=Severity.WARNING,
    title="The model is smaller than those that gain from disaggregation",
    fix="serve this model from a colocated endpoint, or measure both before you keep two pools",
    sources=("SageMaker developer guide, DPD page, when it pays and known limits",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "R170",
        "F-12",
    ),
    tags=("suitability",),
    example=Example(
        before="""
spec: {modelName: Llama-3.1-8B-Instruct}
metadata: {annotations: {dpd.check/model: llama-3.1-8b-instruct}}
""",
        after="spec: {modelName: Llama-3.3-70B-Instruct}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    model = endpoint.model
    if model.mixture_of_experts:
        return
    wanted = engine_defaults.suitability().parameters_billion
    size = model.parameters_billion
    if size < wanted:
        yield Hit(
            ("spec", "modelName"),
            f"the model has {size:.3g} billion parameters; AWS recommends DPD for dense models of {wanted:g} billion "
            "and more, smaller ones typically gain nothing",
        )
