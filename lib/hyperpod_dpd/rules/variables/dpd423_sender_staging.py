"""
What it checks
--------------
That the PD buffer has pages for one scheduler step of the prefiller: --max-num-batched-tokens, an error where
given, a warning where vLLM's default counts.

Why it matters
--------------
The prefiller stages every step in its own PD buffer before sending. When pages run out it stores only a part,
logs that local CPU memory is under pressure, and the decoder computes the rest again.

When this is fine
-----------------
Where vLLM's default counts and steps that full do not occur.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.buffer import buffer_of

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD423",
    name="sender-staging",
    severity=Severity.ERROR,
    title="One step of the prefiller does not fit into its PD buffer",
    fix="raise PD_BUFFER_SIZE or lower --max-num-batched-tokens of the prefiller",
    sources=("LMCache 0.4.3, cache engine, store of a step",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R112",),
    tags=("kv-transfer", "sizing", "silent"),
    example=Example(
        before="spec: {pdSpec: {prefillSpec: {args: {--max-num-batched-tokens: 262144}}}}",
        after="spec: {pdSpec: {prefillSpec: {args: {--max-num-batched-tokens: 16384}}}}",
    ),
)

FLAG = "--max-num-batched-tokens"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    prefill = endpoint.prefill
    buffer = buffer_of(endpoint)
    if prefill is None or buffer is None:
        return
    page = endpoint.model.page_bytes(prefill)
    written = prefill.arguments.integer(FLAG)
    tokens = written or engine_defaults.vllm().max_num_batched_tokens
    if page is None:
        return
    cut = buffer.cut(page)
    if cut.pages == 0 or cut.can_hold(tokens):
        return
    absent = "" if written else " (vLLM's default)"
    yield Hit(
        prefill.where(FLAG),
        f"a step of {tokens:,} tokens{absent} needs more than the {cut.pages:,} pages of the prefiller's buffer, "
        f"which hold {cut.capacity_tokens:,} tokens",
        None if written else Severity.WARNING,
        f"set {FLAG} of the prefiller to {cut.capacity_tokens} or less, or raise PD_BUFFER_SIZE",
    )
