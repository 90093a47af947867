"""
What it checks
--------------
That the worker image of a disaggregated endpoint is not of a line that brings no LMCache, such as plain
vllm/vllm-openai.

Why it matters
--------------
Prefill hands its KV cache over through LMCache, NIXL and NIXL's libfabric plugin. An image without them cannot load
the connector that the operator configures.

When this is fine
-----------------
For colocated endpoints, which are not judged. An image of your own built on such a base belongs under a name of
its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import worker_images
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD302",
    name="image-without-lmcache",
    severity=Severity.ERROR,
    title="The worker image brings no LMCache",
    fix="use a supported worker image",
    sources=("SageMaker developer guide, DPD page, supported worker images",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R51",),
    tags=("image",),
    example=Example(
        before="spec: {worker: {image: vllm/vllm-openai:v0.19.0}}",
        after="spec: {worker: {image: lmcache/vllm-openai:v0.4.3}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    image = endpoint.image
    if image.kind is None or image.kind.lmcache_inside:
        return
    yield Hit(
        ("spec", "worker", "image"),
        f"'{image.text}' brings no LMCache, NIXL and libfabric plugin, so nothing can be transferred",
        fix=f"use {worker_images.supported()[0].reference} or another supported worker image",
    )
