"""KV cache that is missing at the decoder: how a query tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.signals import PROMPT_TOKENS

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def landed_too_little(s: Signals) -> str:
    """Fewer tokens arrived per disaggregated request than half of the shortest prompt that is disaggregated."""
    least = number(limit("landed_share_of_threshold") * s.threshold_tokens)
    return f"{r.LANDED}{{{s.own}}} < {least}"


def computed_again(s: Signals) -> str:
    """The decoder's own prefills make up for the missing tokens.

    It was not spared half as many prompts as were disaggregated. Prompts that are local by right stand beside these
    in every bucket, and a prefix cache hit spares a prompt as well as KV cache that landed.
    """
    pairs = [(r.MIDDLING_PREFILLS, r.SPARED_MIDDLING)]
    if s.bound_above(s.threshold_tokens):
        pairs.append((r.LONG_PREFILLS, r.SPARED_LONG))
    return " or ".join(f"({_not_spared(s, *pair)})" for pair in pairs)


def _not_spared(s: Signals, computed: str, spared: str) -> str:
    half = f"0.5 * {r.DISAGGREGATED}{{{s.own}}}"
    return f"{computed}{{{s.own}}} >= {half} unless {spared}{{{s.own}}} >= {half}"


def part_computed_again(s: Signals, bound: str) -> str:
    """Long prompts on the decoder, whole or in part, that neither the router's fallback nor the language explains.

    Where all that was prefilled also landed, long prompts on the decoder are local ones: in some languages the router
    estimates a fraction of the real tokens. A prompt that was lost leaves at least ``bound`` tokens behind that did not
    land; half allows for windows that do not agree. The decoder's prefix cache counts as landing only where it has
    more long prompts than came from the prefillers, since it also spares it tokens of local prompts. Where nothing is
    prefilled at all, long prompts on the decoder are the router's fault.
    """
    failed = f"(sum(increase({select('dpd_routing_fallback_total', s.router)}[15m])) or vector(0))"
    least = number(limit("recomputed_requests"))
    lost = f"0.5 * {number(float(bound))} * {r.LONG_PREFILLS}{{{s.own}}}"
    unlanded = f"{r.UNLANDED}{{{s.own}}}"
    cached = select("vllm:prompt_tokens_by_source_total", s.decode, 'source="local_cache_hit"')
    local = (
        f"{_longer(s.decode, bound)} - {_longer(s.prefill, bound)} >= 0.5 * sum({r.LONG_PREFILLS}{{{s.own}}})"
    )
    with_cache = f"{unlanded} - on () sum(rate({cached}[10m])) < on () {lost}"
    whole = (
        f"({r.RECENT_LONG_PREFILLS}{{{s.own}}} - on () {failed} >= {least})\n"
        f"unless on () ({r.PREFILLED}{{{s.own}}} > 0\n"
        f"  and on () ({unlanded} < {lost}\n  or on () ({with_cache}\n  and on () ({local}))))"
    )
    part = (
        f"({unlanded} > {number(limit('unlanded_share'))} * {r.PREFILLED}{{{s.own}}}\n"
        f"and {r.DISAGGREGATED}{{{s.own}}} > {number(limit('recomputed_requests'))} / 300\n"
        f"and ({_not_spared(s, r.MIDDLING_PREFILLS, r.SPARED_MIDDLING)}))"
    )
    return f"{whole}\nor on () {part}"


def _longer(matchers: str, bound: str) -> str:
    """Prompts per second that are longer than a bucket bound."""
    every = select(f"{PROMPT_TOKENS}_count", matchers)
    shorter = select(f"{PROMPT_TOKENS}_bucket", matchers, f'le="{bound}"')
    return f"(sum(rate({every}[10m])) - sum(rate({shorter}[10m])))"
