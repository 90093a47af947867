"""
What it checks
--------------
That the decoder's --max-num-seqs, over its replicas, is not below the declared number of requests at once.

Why it matters
--------------
Every request ends at the decoder, and AWS documents one decoder for each endpoint. Requests beyond its limit
wait there, whatever is added on the prefill side.

When this is fine
-----------------
Where the declared concurrency is a short peak and waiting is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.context import MissingFact

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD809",
    name="decode-slots",
    severity=Severity.WARNING,
    title="More requests at once than the decoder runs",
    fix="raise --max-num-seqs of decode as far as its memory allows, or lower the concurrency sent to this endpoint",
    sources=(
        "SageMaker developer guide, DPD page, tuning table and known limits",
        "AWS machine-learning blog on DPD, signs of a saturated decoder",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "S7.8-8",
        "S10.2-7",
    ),
    tags=(
        "suitability",
        "traffic",
    ),
    example=Example(
        before="endpoints: {llama-70b: {decode: {arguments: {max-num-seqs: 32}}, traffic: {concurrency: 60}}}",
        after="endpoints: {llama-70b: {decode: {arguments: {max-num-seqs: 64}}, traffic: {concurrency: 60}}}",
        of="environment",
    ),
)

FLAG = "--max-num-seqs"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    decode = endpoint.decode
    sequences = decode.arguments.integer(FLAG) if decode else None
    if decode is None or sequences is None:
        return
    concurrency = endpoint.traffic.concurrency
    if concurrency is None:
        raise MissingFact("number of concurrent requests")
    capacity = sequences * decode.replicas
    if concurrency > capacity:
        yield Hit(
            decode.where(FLAG),
            f"decode runs {capacity:,} sequences at a time, {concurrency:,} requests at once are declared: "
            f"{concurrency - capacity:,} wait at the one side that cannot be scaled",
        )
