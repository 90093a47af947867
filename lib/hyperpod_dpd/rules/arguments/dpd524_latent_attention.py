"""
What it checks
--------------
Whether the model has multi-head latent attention, as DeepSeek's do.

Why it matters
--------------
The latent is whole on every rank, and LMCache stores it from the first rank only. These models are mixtures of
experts too, and AWS validated neither with DPD.

When this is fine
-----------------
With a transfer test on your image.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.sizing.layer_groups import LATENT

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD524",
    name="latent-attention",
    severity=Severity.WARNING,
    title="A model with latent attention",
    fix="size the buffer for a page that every rank keeps whole, test the transfer, and acknowledge",
    sources=("LMCache 0.4.3, treatment of MLA", "SageMaker developer guide, DPD page, range of models"),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R114",),
    tags=("model",),
    example=Example(
        before="endpoints: {llama-70b: {model: {catalogue: deepseek-v3}}}",
        after="endpoints: {llama-70b: {model: {catalogue: llama-3.3-70b-instruct}}}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    model = endpoint.model
    if any(group.kind == LATENT for group in model.geometry.groups):
        yield Hit(
            ("spec", "modelName"),
            f"{model.geometry.name or endpoint.get('modelName')} has latent attention, outside what AWS validated",
        )
