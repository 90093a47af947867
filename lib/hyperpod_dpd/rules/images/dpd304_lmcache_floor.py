"""
What it checks
--------------
That the LMCache inside the worker image of a disaggregated endpoint is at least the release DPD needs.

Why it matters
--------------
Older releases lack parts of the PD backend that the operator configures; some refuse a buffer that is not cut to
whole pages, some never free pages when hashes differ.

When this is fine
-----------------
Never; declare the version where the catalogue is wrong about your image.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import worker_images
from hyperpod_dpd.catalog.versions import ComponentVersion
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD304",
    name="lmcache-floor",
    severity=Severity.ERROR,
    title="LMCache in the worker image is too old for DPD",
    fix="use a supported worker image",
    sources=(
        "SageMaker developer guide, DPD page, versions in the worker images",
        "SageMaker developer guide, KV caching and intelligent routing, version matrix",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R54",),
    tags=("image",),
    example=Example(
        before="spec: {worker: {image: lmcache/vllm-openai:v0.3.7}}",
        after="spec: {worker: {image: lmcache/vllm-openai:v0.4.3}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    floor = ComponentVersion.parse(worker_images.component_floor("lmcache").value)
    found = endpoint.image.version("lmcache")
    if found is not None and found.version < floor:
        yield Hit(
            ("spec", "worker", "image"), f"LMCache {found} is below {floor}, the first that DPD works with"
        )
