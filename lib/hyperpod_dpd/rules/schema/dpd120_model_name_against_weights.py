"""
What it checks
--------------
Whether modelName and the place of the weights name two families of models, or two sizes of one.

Why it matters
--------------
Buffer, memory and page sizes are derived from the model. A manifest copied from another model serves weights under a
wrong name, and every figure read off that name is wrong.

When this is fine
-----------------
Where the name is a product name that borrows a family's word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import models
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD120",
    name="model-name-against-weights",
    severity=Severity.WARNING,
    title="The model's name and its weights speak of two models",
    fix="correct modelName or the location of the weights",
    sources=("observed in AWS's FSx example, whose name and location differ",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("E-82",),
    tags=("weights", "names"),
    example=Example(
        before="spec: {modelName: Llama-3-1-8B, modelSourceConfig: {modelLocation: models/llama-3.3-70b-instruct}}",
        after="spec: {modelName: Llama-3-3-70B, modelSourceConfig: {modelLocation: models/llama-3.3-70b-instruct}}",
    ),
)

_SIZE = re.compile(r"(?<![a-z0-9.])[a-z]?(\d+(?:\.\d+)?)b(?![a-z0-9])")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    name = endpoint.get("modelName")
    if not isinstance(name, str):
        return
    for path in (("huggingFaceModel", "modelId"), ("modelLocation",)):
        place = endpoint.get("modelSourceConfig", *path)
        if isinstance(place, str) and _differ(name.lower(), place.lower()):
            yield Hit(
                ("spec", "modelName"),
                f"modelName is '{name}' and {path[-1]} is '{place}'",
            )
            return


def _differ(name: str, place: str) -> bool:
    families = [{family for family in models.families() if family in text} for text in (name, place)]
    if all(families) and not families[0] & families[1]:
        return True
    sizes = [{float(size) for size in _SIZE.findall(text.replace("_", "-"))} for text in (name, place)]
    return all(sizes) and not sizes[0] & sizes[1]
