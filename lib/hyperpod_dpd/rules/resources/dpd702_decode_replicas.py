"""
What it checks
--------------
That a disaggregated endpoint has exactly one decoder.

Why it matters
--------------
AWS documents a single decode deployment for each endpoint and plans more for a later release; two other places of
the same documentation advise to scale it. Whether load spreads over several decoders is not confirmed, and a decoder
that gets nothing still costs a whole node.

When this is fine
-----------------
With a recorded test that the decoders share the load, acknowledged; in production the report is named in operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD702",
    name="decode-replicas",
    severity=Severity.ERROR,
    title="More than one decoder",
    fix="set the decoder's replicas to 1; raise prefill replicas, the PD buffer or a second endpoint instead",
    sources=(
        "SageMaker developer guide, DPD page, known limits",
        "AWS machine learning blog on DPD, scaling guidance",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R149",),
    waivable=True,
    tags=("scaling",),
    example=Example(
        before="spec: {pdSpec: {decodingSpec: {replicas: 2}}}",
        after="spec: {pdSpec: {decodingSpec: {replicas: 1}}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    decode = endpoint.decode
    if decode is not None and decode.replicas > 1:
        yield Hit((*decode.path, "replicas"), f"{decode.replicas} decoders; one is what AWS documents")
