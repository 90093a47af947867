"""
What it checks
--------------
--max-num-seqs of the decoder, where it is set, against the prompts of the declared P95 length (else the median) that
the PD buffer holds at once.

Why it matters
--------------
While the decoder's slots are free, prompts leave the buffer as soon as they arrive; when many arrive together, the
buffer is full before the decoder is, and prefillers wait with an allocation retry every 10 ms.

When this is fine
-----------------
Mostly: prompts stay in the buffer for a moment only. It is a note that says which of the two limits comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.buffer import role_buffer
from hyperpod_dpd.view.context import MissingFact

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD514",
    name="decode-concurrency",
    severity=Severity.INFO,
    title="The decoder runs more sequences than the PD buffer receives",
    fix="raise PD_BUFFER_SIZE, or lower --max-num-seqs on decode",
    sources=("derived from LMCache 0.4.3's PD buffer and the declared lengths",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R106",),
    tags=("kv-transfer", "sizing"),
    example=Example(
        before="""
endpoints:
  llama-70b:
    decode: {arguments: {max-num-seqs: 256}}
    traffic: {input_tokens: {p50: 8000, p95: 16000}}
""",
        after="""
endpoints:
  llama-70b:
    decode: {arguments: {max-num-seqs: 16}}
    traffic: {input_tokens: {p50: 4500, p95: 8000}}
""",
        of="environment",
    ),
)

FLAG = "--max-num-seqs"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    decode = endpoint.decode
    sequences = decode.arguments.integer(FLAG) if decode else None
    if decode is None or sequences is None:
        return
    lengths = endpoint.traffic.input_tokens
    if lengths is None:
        raise MissingFact("distribution of prompt lengths")
    tokens = lengths.p95 or lengths.p50
    buffer = role_buffer(endpoint, decode)
    if buffer is None:
        return
    transfers = buffer.in_flight_transfers(tokens)
    if sequences > transfers:
        yield Hit(
            decode.where(FLAG),
            f"decode runs {sequences} sequences and the buffer holds {transfers} prompts of {tokens:,} tokens at once",
        )
