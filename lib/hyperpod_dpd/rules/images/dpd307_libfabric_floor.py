"""
What it checks
--------------
That a declared libfabric version is one that NIXL's libfabric plugin can use.

Why it matters
--------------
With an older libfabric the plugin does not load and NIXL takes another transport: KV pages then travel over TCP at a
small part of EFA's rate, and no request fails.

When this is fine
-----------------
Never. Where no version is declared nothing is said, since AWS's images do not state theirs.
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
    id="DPD307",
    name="libfabric-floor",
    severity=Severity.ERROR,
    title="libfabric in the worker image is too old for NIXL's plugin",
    fix="build the image with a newer EFA installer",
    sources=("NIXL repository, readme of the libfabric plugin",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R56",),
    tags=("image", "efa"),
    example=Example(
        before='images: {worker: {versions: {libfabric: "1.20.1"}}}',
        after='images: {worker: {versions: {libfabric: "2.1.0"}}}',
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    found = endpoint.image.version("libfabric")
    if found is None:
        return
    floor = ComponentVersion.parse(worker_images.component_floor("libfabric").value)
    if found.version < floor:
        yield Hit(("spec", "worker", "image"), f"libfabric {found} is below {floor}")
