"""
What it checks
--------------
Whether the PD buffer holds more than one prompt of the longest length that the engine accepts.

Why it matters
--------------
A prompt that takes most of the buffer makes every other transfer wait until the decoder has taken it up: one
long request is felt by all.

When this is fine
-----------------
Where prompts of that length are rare, or --max-model-len is only a ceiling.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.sizing.pd_buffer import smallest_buffer_bytes
from hyperpod_dpd.view.buffer import BUFFER_SIZE, buffer_of, longest_tokens

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD424",
    name="one-long-prompt-at-a-time",
    severity=Severity.WARNING,
    title="The PD buffer holds one prompt of the longest length at a time",
    fix="raise PD_BUFFER_SIZE or lower --max-model-len",
    sources=("LMCache 0.4.3, PD backend, allocation loop", "LMCache issue 4209"),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("B-03",),
    tags=("kv-transfer", "sizing"),
    example=Example(
        before="spec: {worker: {args: {--max-model-len: 131072}}}",
        after="spec: {worker: {args: {--max-model-len: 65536}}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    buffer = buffer_of(endpoint)
    decode = endpoint.decode
    if buffer is None or decode is None:
        return
    page = endpoint.model.page_bytes(decode)
    tokens = longest_tokens(endpoint, decode.arguments.integer("--max-model-len"))
    if page is None or not tokens:
        return
    if buffer.cut(page).in_flight_transfers(tokens) == 1:
        need = smallest_buffer_bytes(
            page_bytes=page, chunk_tokens=buffer.chunk_tokens, max_prompt_tokens=tokens, transfers=2
        )
        yield Hit(
            endpoint.where_variable(BUFFER_SIZE),
            f"{buffer.bytes:,} bytes hold one prompt of {tokens:,} tokens and not a second beside it",
            fix=f"set {BUFFER_SIZE} to {need} or more if GPU memory allows, or lower --max-model-len",
        )
