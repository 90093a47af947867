"""
What it checks
--------------
--enforce-eager on the decoder, also where it is shared by both roles.

Why it matters
--------------
A decode step is short, and without CUDA graphs launching its kernels takes a large part of it: every token comes
later, which is what disaggregation was bought against. AWS's benchmark is eager on prefill only.

When this is fine
-----------------
While a fault of CUDA graphs is being looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD515",
    name="decode-eager",
    severity=Severity.WARNING,
    title="The decoder runs without CUDA graphs",
    fix="give --enforce-eager to prefill only",
    sources=("AWS machine learning blog on DPD, benchmark settings",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R107",),
    tags=("arguments", "performance"),
    example=Example(
        before="spec: {pdSpec: {decodingSpec: {args: [--enforce-eager]}}}",
        after="spec: {pdSpec: {prefillSpec: {args: [--enforce-eager]}}}",
    ),
)

FLAG = "--enforce-eager"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    decode = endpoint.decode
    if decode is not None and decode.arguments.enabled(FLAG):
        shared = not decode.own_arguments.has(FLAG)
        yield Hit(
            decode.where(FLAG),
            "the decoder runs eagerly"
            + (", because the flag stands in the shared arguments" if shared else ""),
            fix="move --enforce-eager to prefillSpec.args"
            if shared
            else "remove --enforce-eager from decodingSpec.args",
        )
