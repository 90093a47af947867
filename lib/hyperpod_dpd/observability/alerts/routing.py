"""The router: a threshold that does not fit the traffic, errors it hides, and itself gone unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.alerts.load import queue_is_empty, queue_stays
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.signals import PROMPT_TOKENS
from hyperpod_dpd.observability.wording import percentage, share

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

ROUTED = ("dpd_routing_disaggregated_total", "dpd_routing_local_total", "dpd_routing_fallback_total")


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (threshold_misfit(s), fallback(s), blind(s))


def threshold_misfit(s: Signals) -> Alert | Omitted:
    """A low share is fine where prompts are short, a high one where they are long: neither alone is a "
    "misfit."""
    name = "DpdThresholdMisfit"
    bound = s.bound_below(s.threshold_tokens / 2, PROMPT_TOKENS) or s.bound_below(
        s.threshold_tokens, PROMPT_TOKENS
    )
    if bound is None:
        return Omitted(alert=name, reason="no bucket bound lies below the routing threshold")
    everything = f"sum(increase({select(f'{PROMPT_TOKENS}_count', s.decode)}[30m]))"
    least_le = f'le="{bound}"'
    short = f"sum(increase({select(f'{PROMPT_TOKENS}_bucket', s.decode, least_le)}[30m]))"
    many = number(limit("judged_requests"))
    few, half = limit("low_share"), limit("long_prompt_share")
    too_high = (
        f"{r.SHARE}{{{s.own}}} < {number(few)}\n"
        f"and on () ({everything} > {many})\nand on () ({short} < {number(half)} * {everything})"
    )
    too_low = (
        f"{r.SHARE}{{{s.own}}} > {number(limit('high_share'))}\n"
        f"and {queue_stays(s, r.PREFILL_WAITING)}\nand {queue_is_empty(s, r.DECODE_WAITING)}"
    )

    return Alert(
        name=name,
        expr=f"({too_high})\nor\n({too_low})",
        hold="1h",
        severity="warning",
        summary=f"The routing threshold ({s.threshold_tokens} tokens) does not fit the traffic",
        meaning=f"Either fewer than {percentage(few)} of the requests are disaggregated although "
        f"{share(half)} of the prompts are "
        f"longer than {float(bound):.0f} tokens, so the prefillers are idle GPUs; or nearly all are, and they "
        "queue for prefill while the decoder has room.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c "
        "@{router_container} --since=3h | grep -o 'estimated_tokens=[0-9]*' | cut -d= -f2 | sort -n "
        "| awk '{a[NR]=$1} END {print "
        '"p10",a[int(NR*.1)+1],"p50",a[int(NR*.5)+1],"p90",a[int(NR*.9)+1]}\'',
    )


def fallback(s: Signals) -> Alert:
    """More than one in ten minutes, so that a client that went away wakes nobody.

    Without a ready prefiller there is nothing else to do; that is DpdNoReadyPrefiller, or a planned restart.
    """
    failed, disaggregated = (
        f"sum(increase({select(name, s.router)}[10m]))"
        for name in ("dpd_routing_fallback_total", "dpd_routing_disaggregated_total")
    )
    least, share = number(limit("fallback_requests")), number(limit("fallback_share"))
    return Alert(
        name="DpdRouterFallback",
        expr=f"{failed} >= {least} and {failed} > {share} * ({failed} + ({disaggregated} or vector(0)))\n"
        f"unless on () (min_over_time({r.READY_PREFILLERS}{{{s.own}}}[15m]) == 0)",
        hold="5m",
        severity="critical",
        summary="The router falls back: prefill fails and the decoder does all the work",
        meaning="Requests that should be disaggregated met an error at a prefiller and went to the decoder "
        "alone. Clients see slower answers and no error.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c "
        "@{router_container} --since=15m | grep -iE 'error|exception|fallback|timeout' | tail",
    )


def blind(s: Signals) -> Alert:
    """Counters with labels exist only once they counted: all of them missing while requests end is "
    "blindness."""
    missing = " and on () ".join(f"absent({select(name, s.router)})" for name in ROUTED)
    finished = select("vllm:request_success_total", s.decode)
    router = select(
        "kube_deployment_status_replicas_available",
        f'namespace="{names.OPERATOR_NAMESPACE}",deployment="{s.router_deployment}"',
    )
    return Alert(
        name="DpdRouterBlind",
        # Without a router, and where nothing is collected, other alerts tell.
        expr=f"{missing}\nand on () (sum(increase({finished}[30m])) > 0) and on () (count({finished}) > 0)\n"
        f"unless on () (sum({router}) == 0)",
        hold="15m",
        severity="warning",
        summary="Requests are served and the router shows no counters",
        meaning="Nothing tells whether requests are disaggregated: the router is not scraped, its series "
        "changed names, or "
        "they carry other labels than assumed. The alerts that compare with routed requests cannot fire.",
        first_command="kubectl -n @{operator_namespace} get pods -o wide | grep @{router_deployment}",
    )
