"""
What it checks
--------------
Whether the prefiller has --enforce-eager, as AWS's benchmark did.

Why it matters
--------------
A prefill step is long, so CUDA graphs gain little there, and they cost memory and start-up time.

When this is fine
-----------------
Where a measurement favours graphs on your model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD516",
    name="prefill-not-eager",
    severity=Severity.INFO,
    title="The prefiller captures CUDA graphs",
    fix="add --enforce-eager to prefillSpec.args",
    sources=("AWS machine learning blog on DPD, benchmark settings",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R108",),
    tags=("arguments", "performance"),
    example=Example(
        before="spec: {pdSpec: {prefillSpec: {args: {--enforce-eager: null}}}}",
        after="spec: {pdSpec: {prefillSpec: {args: [--enforce-eager]}}}",
    ),
)

FLAG = "--enforce-eager"
_LEVEL = "--optimization-level"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    prefill = endpoint.prefill
    if prefill is None or prefill.arguments.enabled(FLAG) or prefill.arguments.get(_LEVEL) == "0":
        return
    yield Hit(
        prefill.where(FLAG), "prefill captures CUDA graphs; AWS's benchmark ran it with --enforce-eager"
    )
