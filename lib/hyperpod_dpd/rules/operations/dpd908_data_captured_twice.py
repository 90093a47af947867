"""
What it checks
--------------
Whether data capture is configured for model pods of a disaggregated endpoint.

Why it matters
--------------
A disaggregated request passes a prefill and a decode pod, and both have the capturing sidecar, so its payload
may be stored twice. This is inferred, not confirmed.

When this is fine
-----------------
Where duplicates do no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD908",
    name="data-captured-twice",
    severity=Severity.INFO,
    title="Data capture in model pods may see each long request twice",
    fix="capture at one tier only, or remove the duplicates by request id",
    sources=(
        "inferred from the two pods that a request passes; AWS's page on data capture is silent on DPD",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("N-data-capture",),
    tags=("observability",),
    example=Example(
        before='spec: {dataCapture: {s3Uri: "s3://capture-bucket/llama", modelPod: {bufferConfig: {batchSize: 10}}}}',
        after="spec: {dataCapture: null}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.has("dataCapture", "modelPod"):
        yield Hit(
            ("spec", "dataCapture", "modelPod"),
            "prefill and decode pods both capture, so a disaggregated request may be stored twice (not confirmed)",
        )
