"""
What it checks
--------------
--enable-lora or --lora-modules on either role.

Why it matters
--------------
Pages are found by the hash of the prompt's tokens. Whether an adapter's pages are kept apart from the base model's,
in the cache and in prefix routing, is not confirmed; mixed up, answers are wrong without an error.

When this is fine
-----------------
With a test that shows the adapters' answers over both paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD525",
    name="adapters",
    severity=Severity.WARNING,
    title="LoRA adapters with disaggregation",
    fix="serve adapters from a colocated endpoint, or test each of them over both paths and acknowledge",
    sources=("inferred from LMCache 0.4.3's cache key, whose tags do not name the adapter",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R115",),
    tags=("model",),
    example=Example(
        before="spec: {worker: {args: [--enable-lora]}}",
        after="spec: {worker: {args: {--enable-lora: null}}}",
    ),
)

_FLAGS = ("--enable-lora", "--lora-modules")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for role in endpoint.roles:
        for flag in _FLAGS:
            if role.arguments.has(flag):
                yield Hit(role.where(flag), f"{flag} is set; that DPD keeps adapters apart is not confirmed")
                return
