"""
What it checks
--------------
vLLM and LMCache inside the image against what AWS's table asks for kvaware: an error where the user declares an
LMCache below it, a warning where the documentation says so of the image or where the versions are not known.

Why it matters
--------------
Below the table's versions workers do not register at the router, or not rightly; it then falls back without a word.
AWS's own DPD image is documented just below the floor for vLLM and was built from a newer one: the two pages
contradict each other.

When this is fine
-----------------
With a test that shows requests with a common prefix on one prefiller.
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
    id="DPD602",
    name="kvaware-image",
    severity=Severity.WARNING,
    title="kvaware routing with an image below its documented versions",
    fix="use another strategy, or an image with the documented versions and a test that requests follow the cache",
    sources=(
        "SageMaker developer guide, KV caching and intelligent routing, table of versions",
        "SageMaker developer guide, DPD page, contents of the images",
        "deep-learning-containers, build history",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R121",),
    waivable=True,
    tags=("routing", "images"),
    example=Example(
        before="spec: {intelligentRoutingSpec: {routingStrategy: kvaware}, invocationEndpoint: v1/completions}",
        after="spec: {intelligentRoutingSpec: {routingStrategy: prefixaware}, invocationEndpoint: v1/completions}",
    ),
)

_FLOORS = {"vllm": "kvaware_vllm", "lmcache": "kvaware_lmcache"}
_PATH = ("spec", "worker", "image")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    if endpoint.routing_strategy != "kvaware":
        return
    image = endpoint.image
    for component, name in _FLOORS.items():
        floor = ComponentVersion.parse(worker_images.component_floor(name).value)
        found = image.version(component)
        if found is None:
            yield Hit(
                _PATH,
                f"which {component} is in '{image.text}' is not known; kvaware asks for {floor} or later",
                Severity.INFO,
                fix="declare the versions inside the image under `images.worker.versions` of the environment",
            )
        elif found.version < floor:
            built = getattr(image.known.built, component, None) if image.known and image.known.built else None
            certain = component == "lmcache" and found.by == "declared"
            yield Hit(
                _PATH,
                f"{component} {found.version} ({found.by}) is below the {floor} that kvaware asks for"
                + (f"; the image's build history says {built}, which is not confirmed" if built else ""),
                Severity.ERROR if certain else None,
            )
