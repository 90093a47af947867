"""
What it checks
--------------
--no-enable-prefix-caching on prefill, also where it is shared. The decoder is not judged.

Why it matters
--------------
The prefiller is where shared prefixes are found again; without them each prompt is computed in full, and prefixaware
and kvaware routing have nothing to find.

When this is fine
-----------------
On the decoder, where it is a remedy for pages that LMCache 0.4.3 leaks; and with prompts that share nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD521",
    name="prefill-prefix-caching",
    severity=Severity.WARNING,
    title="The prefiller reuses no prefixes",
    fix="remove --no-enable-prefix-caching from the prefiller's arguments",
    sources=(
        "vLLM 0.19.0, cache configuration",
        "SageMaker developer guide, DPD page, prefix caching on the prefiller",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R111",),
    tags=("arguments", "performance"),
    example=Example(
        before="spec: {pdSpec: {prefillSpec: {args: [--no-enable-prefix-caching]}}}",
        after="spec: {pdSpec: {decodingSpec: {args: [--no-enable-prefix-caching]}}}",
    ),
)

FLAG = "--enable-prefix-caching"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    prefill = endpoint.prefill
    if prefill is not None and prefill.arguments.enabled(FLAG) is False:
        shared = prefill.own_arguments.last(FLAG) is None
        yield Hit(
            prefill.where(FLAG),
            "prefix caching is off on prefill" + (" by the shared arguments" if shared else ""),
            fix="move --no-enable-prefix-caching to decodingSpec.args, or remove it" if shared else None,
        )
