"""
What it checks
--------------
The versions inside the image, declared or documented, against releases with a report of wrong answers.

Why it matters
--------------
Every page is found, no request fails and no log shows anything, while the answer differs from the first token on.
Only comparing answers reveals it.

When this is fine
-----------------
When answers of the direct and the disaggregated path agree on your image; the report is not confirmed for HyperPod.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.catalog import worker_images
from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from lib.view.endpoint import EndpointView

RULE = Rule(
    id="DPD390",
    name="reported-wrong-output",
    severity=Severity.WARNING,
    title="A component that is reported to answer wrongly when disaggregated",
    fix="use a supported image, or compare answers of both paths at temperature 0 and acknowledge",
    sources=("vLLM issue 52617",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("B-26",),
    tags=("images", "silent"),
    example=Example(
        before='images: {worker: {versions: {vllm: "0.26.0"}}}',
        after='images: {worker: {versions: {vllm: "0.19.0"}}}',
        of="environment",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for fault in worker_images.component_faults():
        found = endpoint.image.version(fault.component)
        if found is not None and found.version == fault.version:
            yield Hit(
                ("spec", "worker", "image"),
                f"{fault.component} {fault.version} ({found.by}): {fault.problem}"
                + ("" if fault.confirmed else "; not confirmed for HyperPod"),
            )
