"""KV cache that was computed by a prefiller and does not arrive, or not whole, at the decoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.alerts.missing import (
    computed_again,
    landed_too_little,
)
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.signals import LANDED_SOURCE, LANDED_TOKENS
from hyperpod_dpd.observability.wording import duration

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (not_landing(s), retrieve_incomplete(s), stalled(s))


def not_landing(s: Signals) -> Alert | Omitted:
    """The decoder's own prefills stand beside the missing tokens: a hit in its prefix cache is no fault."""
    name = "DpdKvNotLanding"
    if s.bound_below(s.threshold_tokens) is None:
        return Omitted(alert=name, reason="no bucket bound lies below the routing threshold")
    return Alert(
        name=name,
        # Prefillers that compute nothing hang: that is DpdKvStalled.
        expr=f"{landed_too_little(s)}\nand ({computed_again(s)})\nunless {r.PREFILLED}{{{s.own}}} == 0",
        hold="5m",
        severity="critical",
        summary="KV cache does not reach the decoder: every long prompt is computed twice",
        meaning="The router disaggregates, but the decoder finds next to nothing of what the prefillers "
        "computed and computes the prompts again. No request fails. Usual causes: another hash seed, role, "
        "image, model path or KV dtype on one side.",
        first_command="for d in @{prefill_deployment} @{decode_deployment}; do kubectl -n @{namespace} exec "
        "deployment/$d -c $d -- printenv PYTHONHASHSEED; done",
    )


def retrieve_incomplete(s: Signals) -> Alert:
    """What LMCache had promised the scheduler and could not load: the log's "Retrieved 0 out of N"."""
    least = number(limit("retrieved_share"))
    return Alert(
        name="DpdKvRetrieveIncomplete",
        expr=f"{r.RETRIEVED_SHARE}{{{s.own}}} < {least}",
        hold="5m",
        severity="critical",
        summary="KV cache arrived and cannot be read back whole",
        meaning="LMCache on the decoder found blocks and failed to load part of them. vLLM then computes the "
        "rest again, or the answer starts from wrong cache blocks.",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c @{decode_deployment} "
        '--since=15m | grep -E "can\'t be retrieved|less than the expected|failed to load" | tail '
        "-5",
    )


def stalled(s: Signals) -> Alert:
    """Hangs have no completion, so no latency and no error counts them."""
    finished = select("vllm:request_success_total", s.prefill)
    hits = select(LANDED_TOKENS, s.decode, LANDED_SOURCE)
    window = "10m"
    return Alert(
        name="DpdKvStalled",
        expr=f"min_over_time({r.INFLIGHT}{{{s.own}}}[{window}]) > 0\n"
        f"and on () (sum(rate({hits}[{window}])) == 0)\n"
        f"unless on () (sum(rate({finished}[{window}])) > 0)",
        hold="2m",
        severity="critical",
        summary="Disaggregated requests are in flight and nothing moves",
        meaning=f"For {duration(window)} requests have waited in prefill, none finished there and no KV cache "
        "landed. A prefiller that waits for a decoder which has gone, or a decoder without a free page, waits "
        "for ever: neither side has a timeout.",
        first_command="kubectl -n @{namespace} get pods -l '@{role_label} in (prefill, decode)' -o wide",
    )
