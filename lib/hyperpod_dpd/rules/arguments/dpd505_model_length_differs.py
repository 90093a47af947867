"""
What it checks
--------------
--max-model-len of both roles after the merge. A shorter prefiller is an error, a shorter decoder a warning.

Why it matters
--------------
A prompt that the decoder would take and the prefiller refuses fails as soon as it is long enough to disaggregate. A
shorter decoder refuses what the prefiller has already computed, and its pages stay in the buffer.

When this is fine
-----------------
A shorter decoder, where clients keep below its limit anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD505",
    name="model-length-differs",
    severity=Severity.ERROR,
    title="The roles accept prompts of different lengths",
    fix="set --max-model-len once, in the arguments that both roles share",
    sources=("vLLM 0.19.0, check of a request's length",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R93",),
    tags=("arguments",),
    example=Example(
        before='spec: {pdSpec: {prefillSpec: {args: [--max-model-len, "8192"]}}}',
        after='spec: {pdSpec: {prefillSpec: {args: [--max-model-len, "16384"]}}}',
    ),
)

FLAG = "--max-model-len"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None:
        return
    if not (prefill.own_arguments.last(FLAG) or decode.own_arguments.last(FLAG)):
        return
    first, second = prefill.arguments.integer(FLAG), decode.arguments.integer(FLAG)
    if first == second:
        return
    shorter = prefill if second is None or (first is not None and first < second) else decode
    own = shorter if shorter.own_arguments.last(FLAG) else prefill if shorter is decode else decode
    yield Hit(
        own.where(FLAG),
        f"prefill accepts {_tokens(first)}, decode {_tokens(second)}",
        None if shorter is prefill else Severity.WARNING,
    )


def _tokens(length: int | None) -> str:
    return "what the model allows" if length is None else f"{length:,} tokens"
