"""
What it checks
--------------
The pages of one prefill step, --max-num-batched-tokens or vLLM's default, against the pages of the PD buffer, which
also stages on the sender.

Why it matters
--------------
A step that does not fit is stored in part and sent in part: the decoder misses the rest and computes it again. The
log speaks misleadingly of CPU memory under pressure.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.catalog import engine_defaults
from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from lib.view.engine import pd_buffer

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView

RULE = Rule(
    id="DPD522",
    name="batch-fits-buffer",
    severity=Severity.ERROR,
    title="One prefill step is larger than the PD buffer",
    fix="lower --max-num-batched-tokens or raise PD_BUFFER_SIZE",
    sources=("LMCache 0.4.3, cache engine, store on the sender", "LMCache issue 2080"),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R112",),
    waivable=False,
    tags=("kv-transfer", "sizing", "silent"),
    example=Example(
        before="spec: {pdSpec: {prefillSpec: {args: {--max-num-batched-tokens: 262144}}}}",
        after="spec: {pdSpec: {prefillSpec: {args: {--max-num-batched-tokens: 16384}}}}",
    ),
)

FLAG = "--max-num-batched-tokens"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    prefill = endpoint.prefill
    if prefill is None:
        return
    given = prefill.arguments.last(FLAG)
    tokens = prefill.arguments.integer(FLAG) if given else engine_defaults.vllm().max_num_batched_tokens
    if tokens is None or tokens < 1:
        return
    buffer = pd_buffer(endpoint, prefill)
    if buffer is not None and not buffer.can_hold(tokens):
        yield Hit(
            given.value_path if given else endpoint.where_variable("PD_BUFFER_SIZE"),
            f"a step of {tokens:,} tokens needs more than the buffer's {buffer.pages:,} pages "
            f"({buffer.capacity_tokens:,} tokens)",
            fix=f"set {FLAG} to {buffer.capacity_tokens} or less, or raise PD_BUFFER_SIZE",
        )
