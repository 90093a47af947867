"""
What it checks
--------------
That the worker image reads as an image reference: registry, path in lower case, tag or digest.

Why it matters
--------------
The API takes any text here. The pods then stay in InvalidImageName, and the endpoint never becomes ready.

When this is fine
-----------------
Never. Placeholders that are still to be filled in are reported by their own rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD311",
    name="image-reference",
    severity=Severity.ERROR,
    title="The worker image is no image reference",
    fix="write registry/path:tag or registry/path@sha256:<64 hex digits>, the path in lower case",
    sources=("OCI distribution specification, names of repositories, tags and digests",),
    applies_to=AppliesTo.ENDPOINT,
    tags=("image",),
    example=Example(
        before="spec: {worker: {image: 'https://public.ecr.aws/deep-learning-containers/vllm:v1'}}",
        after="spec: {worker: {image: 'public.ecr.aws/deep-learning-containers/vllm:server-hyperpod-cuda-v1.1'}}",
    ),
)

_PLACEHOLDER = ("$", "<", "{{")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    image = endpoint.image
    if endpoint.get("worker", "image") is None or image.reference is not None:
        return
    if any(mark in image.text for mark in _PLACEHOLDER):
        return
    yield Hit(("spec", "worker", "image"), f"'{image.text}' cannot be read as an image reference")
