"""KV cache that was computed by a prefiller and does not arrive, or not whole, at the decoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.alerts.missing import (
    ARRIVALS,
    computed_again,
    landed_too_little,
    prompts,
    traffic,
)
from hyperpod_dpd.observability.model import Alert, Case, Left
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.samples import flat, of_decode, of_prefill, of_router, steady
from hyperpod_dpd.observability.signals import COMPUTED_TOKENS

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Left, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (not_landing(s), retrieve_incomplete(s), stalled(s))


def not_landing(s: Signals) -> Alert | Left:
    """The decoder's own prefills stand beside the missing tokens: a hit in its prefix cache is no fault."""
    name = "DpdKvNotLanding"
    if s.bound_below(s.threshold_tokens) is None:
        return Left(alert=name, reason="no bucket bound lies below the routing threshold")
    broken = traffic(s, landed_tokens=0, computed_long=ARRIVALS)
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
        cases=(
            Case(name="nothing lands, the decoder computes all", fires=True, at="20m", series=broken),
            Case(
                name="just above half of the threshold lands",
                fires=False,
                at="60m",
                series=traffic(s, landed_tokens=int(s.threshold_tokens * 0.5) + 8, computed_long=ARRIVALS),
            ),
            Case(
                name="the decoder had most of it in its own prefix cache",
                fires=False,
                at="60m",
                series=traffic(s, landed_tokens=100, computed_long=0),
            ),
            Case(
                name="it had, and computes as many local prompts just below the threshold",
                fires=False,
                at="60m",
                series={
                    **traffic(s, landed_tokens=100, computed_long=0),
                    of_decode(
                        s, f"{COMPUTED_TOKENS}_bucket", le=s.bound_below(s.threshold_tokens) or ""
                    ): steady(ARRIVALS),
                    **prompts(s, below=2 * ARRIVALS, above=ARRIVALS),
                },
            ),
            Case(
                name="prefillers compute nothing either: they hang",
                fires=False,
                at="60m",
                series={**broken, of_prefill(s, "vllm:prompt_tokens_total"): flat(90_000)},
            ),
            Case(name="not held long enough", fires=False, at="4m30s", series=broken),
        ),
    )


def retrieve_incomplete(s: Signals) -> Alert:
    """What LMCache had promised the scheduler and could not load: the log's "Retrieved 0 out of N"."""
    least = number(limit("retrieved_share"))
    requested = of_decode(s, "lmcache:num_requested_tokens_total", worker_id="0")
    hit = of_decode(s, "lmcache:num_hit_tokens_total", worker_id="0")
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
        cases=(
            Case(
                name="nothing of what was found can be read",
                fires=True,
                at="20m",
                series={requested: steady(90_000), hit: flat(0)},
            ),
            Case(
                name="nine tenths and a little",
                fires=False,
                at="60m",
                series={requested: steady(90_000), hit: steady(81_100)},
            ),
            Case(
                name="no traffic", fires=False, at="60m", series={requested: flat(90_000), hit: flat(81_000)}
            ),
        ),
    )


def stalled(s: Signals) -> Alert:
    """Hangs have no completion, so no latency and no error counts them."""
    finished = select("vllm:request_success_total", s.prefill)
    hits = select("vllm:external_prefix_cache_hits_total", s.decode)
    hung = {
        of_router(s, "dpd_routing_inflight_prefill"): flat(3),
        of_decode(s, "vllm:external_prefix_cache_hits_total"): flat(60_000),
        of_prefill(s, "vllm:request_success_total", finished_reason="length"): flat(10),
    }
    return Alert(
        name="DpdKvStalled",
        expr=f"min_over_time({r.INFLIGHT}{{{s.own}}}[10m]) > 0\n"
        f"and on () (sum(rate({hits}[10m])) == 0)\n"
        f"unless on () (sum(rate({finished}[10m])) > 0)",
        hold="2m",
        severity="critical",
        summary="Disaggregated requests are in flight and nothing moves",
        meaning="For ten minutes requests have waited in prefill, none finished there and no KV cache "
        "landed. A prefiller that waits for a decoder which has gone, or a decoder without a free page, waits "
        "for ever: neither side has a timeout.",
        first_command="kubectl -n @{namespace} get pods -l '@{role_label} in (prefill, decode)' -o wide",
        cases=(
            Case(name="three requests hang", fires=True, at="20m", series=hung),
            Case(
                name="slow, but prefills finish",
                fires=False,
                at="60m",
                series={
                    **hung,
                    of_prefill(s, "vllm:request_success_total", finished_reason="length"): steady(0.25),
                },
            ),
            Case(
                name="idle",
                fires=False,
                at="60m",
                series={**hung, of_router(s, "dpd_routing_inflight_prefill"): flat(0)},
            ),
        ),
    )
