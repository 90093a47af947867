"""
What it checks
--------------
That there are no more prefillers for one decoder than AWS advises, now or after scaling.

Why it matters
--------------
All prefillers send to one decoder: one thread hands out its pages and one buffer takes them all. Beyond the
advised ratios the prefillers wait for it.

When this is fine
-----------------
With short answers and a buffer sized for it, after a measurement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.scaling import scaling_of

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD718",
    name="prefill-per-decoder",
    severity=Severity.WARNING,
    title="More prefillers for one decoder than AWS advises",
    fix="lower the prefillers, or spread the load over a second endpoint",
    sources=("AWS machine learning blog on DPD, ratios of prefill to decode",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R158",),
    tags=("scaling",),
    example=Example(
        before="spec: {pdSpec: {prefillSpec: {replicas: 5}}}",
        after="spec: {pdSpec: {prefillSpec: {replicas: 3}}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None:
        return
    most = max(engine_defaults.validated().prefill_replicas_per_decoder)
    decoders = max(1, decode.replicas)
    scaling = scaling_of(endpoint, "prefill")
    if prefill.replicas > most * decoders:
        yield Hit(
            (*prefill.path, "replicas"),
            f"{prefill.replicas} prefillers for {decoders} decoder; AWS advises up to {most}:1",
            fix=f"set the prefiller's replicas to {most * decoders} or less",
        )
    elif scaling is not None and scaling.max_replicas > most * decoders:
        yield Hit(
            scaling.path,
            f"prefill may grow to {scaling.max_replicas} for {decoders} decoder; AWS advises up to {most}:1",
            fix=f"set maxReplicaCount to {most * decoders} or less",
        )
