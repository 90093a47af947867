"""
What it checks
--------------
That request limits are not set while metrics are switched off.

Why it matters
--------------
The limits are kept by the proxy beside the worker, and that proxy exists only with metrics on. Without it
nothing is limited.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD721",
    name="request-limits-need-metrics",
    severity=Severity.ERROR,
    title="Request limits without the proxy that keeps them",
    fix="set metrics.enabled to true, or remove worker.requestLimits",
    sources=("SageMaker developer guide, request limits of inference endpoints",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R160",),
    tags=("limits", "silent"),
    example=Example(
        before="spec: {metrics: {enabled: false}, worker: {requestLimits: {maxConcurrentRequests: 32}}}",
        after="spec: {metrics: {enabled: true}, worker: {requestLimits: {maxConcurrentRequests: 32}}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.get("worker", "requestLimits") and endpoint.get("metrics", "enabled") is False:
        yield Hit(
            ("spec", "worker", "requestLimits"),
            "requestLimits is set and metrics.enabled is false, so there is no proxy to keep the limits",
        )
