"""
What it checks
--------------
Whether the decoder keeps vLLM's prefix cache, on by default, under an LMCache release with the reported leak.

Why it matters
--------------
Reported: pages that the decoder's own prefix cache covers are never fetched from the PD buffer, hence never
freed, until allocation retries for ever and only a restart helps. It is not confirmed on HyperPod, and
whether the operator switches the decoder's prefix cache off is not known.

When this is fine
-----------------
Where prompts share no prefix, or the buffer is watched while idle.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults, worker_images
from hyperpod_dpd.catalog.versions import ComponentVersion
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD938",
    name="decoder-page-leak",
    severity=Severity.INFO,
    title="The decoder's prefix cache may leak pages of the PD buffer",
    fix="add --no-enable-prefix-caching to the arguments of decode, or alert on a buffer that stays filled while idle",
    sources=(
        "LMCache issue 2933 (open)",
        "LMCache 0.4.3, PD backend, pinning of pages",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=(
        "O-page-leak",
        "D2",
    ),
    tags=(
        "kv-transfer",
        "silent",
    ),
    example=Example(
        before="spec: {pdSpec: {decodingSpec: {args: {--enable-prefix-caching: true}}}}",
        after="spec: {pdSpec: {decodingSpec: {args: {--no-enable-prefix-caching: true}}}}",
    ),
)

FLAG = "--enable-prefix-caching"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    decode = endpoint.decode
    if decode is None:
        return
    on = decode.arguments.enabled(FLAG)
    if not (engine_defaults.vllm().enable_prefix_caching if on is None else on):
        return
    known = endpoint.image.version("lmcache")
    if known is None or known.version > _newest_with_leak():
        return
    yield Hit(
        decode.where(FLAG),
        f"decode keeps its prefix cache with LMCache {known.version}, for which a leak of PD buffer pages is reported "
        "(not confirmed on HyperPod)",
    )


@cache
def _newest_with_leak() -> ComponentVersion:
    return ComponentVersion.parse(worker_images.component_floor("lmcache_page_leak").value)
