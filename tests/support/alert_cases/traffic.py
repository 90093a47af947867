"""Traffic of an endpoint whose KV cache lands, or does not: what cases of those alerts are made of."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.series import of_decode, of_prefill, of_router
from hyperpod_dpd.observability.signals import COMPUTED_TOKENS, PROMPT_TOKENS, Signals
from tests.support.alert_cases.case import steady

ARRIVALS = 15
"""Disaggregated requests of a case, every 30 s."""


def traffic(s: Signals, *, landed_tokens: float, computed_long: float) -> dict[str, str]:
    """Fifteen disaggregated and fifteen local requests every 30 s; counts are per 30 s."""
    below, above = s.bound_below(s.threshold_tokens), s.bound_above(s.threshold_tokens)
    found = {
        of_router(s, "dpd_routing_disaggregated_total"): steady(ARRIVALS),
        of_router(s, "dpd_routing_local_total"): steady(ARRIVALS),
        of_decode(s, "vllm:prompt_tokens_by_source_total", source="external_kv_transfer"): steady(
            ARRIVALS * landed_tokens
        ),
        of_decode(s, f"{COMPUTED_TOKENS}_count"): steady(2 * ARRIVALS),
    }
    for bound in (below, above):
        if bound is not None:
            found[of_decode(s, f"{COMPUTED_TOKENS}_bucket", le=bound)] = steady(2 * ARRIVALS - computed_long)
    return found


def prompts(s: Signals, *, below: float, above: float) -> dict[str, str]:
    """Of the decoder's thirty prompts so many are longer than each bound beside the threshold."""
    found = {of_decode(s, f"{PROMPT_TOKENS}_count"): steady(2 * ARRIVALS)}
    for bound, longer in (
        (s.bound_below(s.threshold_tokens), below),
        (s.bound_above(s.threshold_tokens), above),
    ):
        if bound is not None:
            found[of_decode(s, f"{PROMPT_TOKENS}_bucket", le=bound)] = steady(2 * ARRIVALS - longer)
    return found


def prefilled(s: Signals, *, landed: float) -> dict[str, str]:
    """Fifteen prompts of one and a half times the threshold, of which a share of the tokens lands."""
    tokens = ARRIVALS * s.threshold_tokens * 1.5
    return {
        of_prefill(s, "vllm:prompt_tokens_total"): steady(tokens),
        of_decode(s, "vllm:prompt_tokens_by_source_total", source="external_kv_transfer"): steady(
            tokens * landed
        ),
    }
