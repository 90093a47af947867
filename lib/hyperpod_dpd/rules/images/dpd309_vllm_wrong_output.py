"""
What it checks
--------------
That the vLLM inside the worker image is not the release reported to answer wrongly with LMCache's PD mode.

Why it matters
--------------
With that release every page is found and the answer still differs from its first token on. No log line and no
metric shows it; only comparing answers of the two paths does. The report is open: not confirmed by its maintainers.

When this is fine
-----------------
After a test at temperature zero that compares answers below and above the routing threshold.
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
    id="DPD309",
    name="vllm-wrong-output",
    severity=Severity.WARNING,
    title="vLLM in the worker image is reported to answer wrongly after a transfer",
    fix="use an image with another vLLM release, or compare answers of both paths at temperature zero",
    sources=("vLLM issue 52617",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("B-26",),
    tags=("image", "silent"),
    example=Example(
        before="images: {worker: {versions: {vllm: 0.26.0}}}",
        after="images: {worker: {versions: {vllm: 0.19.0}}}",
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    found = endpoint.image.version("vllm")
    wrong = ComponentVersion.parse(worker_images.component_floor("vllm_wrong_output").value)
    if found is not None and found.version == wrong:
        yield Hit(
            ("spec", "worker", "image"),
            f"vLLM {found} is reported, not confirmed, to give wrong answers after a full KV transfer",
        )
