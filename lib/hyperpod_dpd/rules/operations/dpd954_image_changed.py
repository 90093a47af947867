"""
What it checks
--------------
That a new worker image is named by its digest, and that a change of image is noticed as one that touches both roles.

Why it matters
--------------
Prefill and decode must run the same bits. Behind a tag, pods that start later may pull others than those that run
already; nothing fails, the decoder only finds no cache entries any more and computes every prompt again. While the
change rolls out, the two roles differ in any case.

When this is fine
-----------------
With a digest the rollout itself remains: send long prompts again once both roles are ready.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.change import ChangeView

RULE = Rule(
    id="DPD954",
    name="image-changed",
    severity=Severity.WARNING,
    title="The worker image changes under both roles",
    fix="name the new image by digest (`dpd images pin`), replace both roles in one go, and repeat the restart drill",
    sources=(
        "SageMaker developer guide, DPD troubleshooting page, same image on both sides",
        "hyperpod-dpd, practice: images by digest",
    ),
    applies_to=AppliesTo.CHANGE,
    tags=("change", "images", "silent"),
    example=Example(
        before="spec: {worker: {image: 'example.com/vllm:next'}}",
        after="spec: {}",
        of="change",
    ),
)

_PATH = ("spec", "worker", "image")


def check(change: ChangeView) -> Iterator[Hit]:
    if not change.after.disaggregated or change.renamed or not change.changed("worker", "image"):
        return
    reference = change.after.image.reference
    if reference is None:
        return
    if reference.digest is None:
        yield Hit(
            _PATH,
            f"the image becomes {change.after.image.text}, a tag: pods of the two roles that start at different times "
            "may run different images",
        )
    else:
        message = (
            "the image changes: until the rollout ends, prefill and decode run different images and recompute"
        )
        yield Hit(_PATH, message, Severity.INFO)
