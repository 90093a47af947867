"""The router: a threshold that does not fit the traffic, errors it hides, and itself gone unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.alerts.load import queue_is_empty, queue_stays
from hyperpod_dpd.observability.model import Alert, Case, Left
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.samples import flat, of_decode, of_prefill, of_router, of_workload, steady
from hyperpod_dpd.observability.signals import PROMPT_TOKENS

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

ROUTED = ("dpd_routing_disaggregated_total", "dpd_routing_local_total", "dpd_routing_fallback_total")


def alerts(s: Signals) -> tuple[Alert | Left, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (threshold_misfit(s), fallback(s), blind(s))


def threshold_misfit(s: Signals) -> Alert | Left:
    """A low share is fine where prompts are short, a high one where they are long: neither alone is a "
    "misfit."""
    name = "DpdThresholdMisfit"
    bound = s.bound_below(s.threshold_tokens / 2, PROMPT_TOKENS) or s.bound_below(
        s.threshold_tokens, PROMPT_TOKENS
    )
    if bound is None:
        return Left(alert=name, reason="no bucket bound lies below the routing threshold")
    everything = f"sum(increase({select(f'{PROMPT_TOKENS}_count', s.decode)}[30m]))"
    least_le = f'le="{bound}"'
    short = f"sum(increase({select(f'{PROMPT_TOKENS}_bucket', s.decode, least_le)}[30m]))"
    many = number(limit("judged_requests"))
    half = number(limit("long_prompt_share"))
    too_high = (
        f"{r.SHARE}{{{s.own}}} < {number(limit('low_share'))}\n"
        f"and on () ({everything} > {many})\nand on () ({short} < {half} * {everything})"
    )
    too_low = (
        f"{r.SHARE}{{{s.own}}} > {number(limit('high_share'))}\n"
        f"and {queue_stays(s, r.PREFILL_WAITING)}\nand {queue_is_empty(s, r.DECODE_WAITING)}"
    )
    count, bucket = (
        of_decode(s, f"{PROMPT_TOKENS}_count"),
        of_decode(s, f"{PROMPT_TOKENS}_bucket", le=bound),
    )

    def traffic(disaggregated: float, local: float, short: float) -> dict[str, str]:
        return {
            of_router(s, "dpd_routing_disaggregated_total"): steady(disaggregated),
            of_router(s, "dpd_routing_local_total"): steady(local),
            count: steady(disaggregated + local),
            bucket: steady(short),
        }

    queue = {
        of_prefill(s, "vllm:num_requests_waiting"): flat(6),
        of_decode(s, "vllm:num_requests_waiting"): flat(0),
    }
    return Alert(
        name=name,
        expr=f"({too_high})\nor\n({too_low})",
        hold="1h",
        severity="warning",
        summary=f"The routing threshold ({s.threshold_tokens} tokens) does not fit the traffic",
        meaning="Either fewer than 5 % of the requests are disaggregated although half of the prompts are "
        f"longer than {float(bound):.0f} tokens, so the prefillers are idle GPUs; or nearly all are, and they "
        "queue for prefill while the decoder has room.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c "
        "@{router_container} --since=3h | grep -o 'estimated_tokens=[0-9]*' | cut -d= -f2 | sort -n "
        "| awk '{a[NR]=$1} END {print "
        '"p10",a[int(NR*.1)+1],"p50",a[int(NR*.5)+1],"p90",a[int(NR*.9)+1]}\'',
        cases=(
            Case(name="long prompts, none disaggregated", fires=True, at="120m", series=traffic(0.25, 14, 3)),
            Case(
                name="everything queues for prefill",
                fires=True,
                at="120m",
                series={**traffic(15, 0, 0), **queue},
            ),
            Case(name="only short prompts", fires=False, at="120m", series=traffic(0, 15, 15)),
            Case(name="only long prompts, no queue", fires=False, at="120m", series=traffic(15, 0, 0)),
            Case(name="a request an hour", fires=False, at="120m", series=traffic(0, 0.008, 0)),
            Case(name="a little over the share", fires=False, at="120m", series=traffic(0.9, 14.1, 3)),
        ),
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
    count = of_router(s, "dpd_routing_fallback_total")
    routed = of_router(s, "dpd_routing_disaggregated_total")
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
        cases=(
            Case(name="one in four", fires=True, at="20m", series={count: steady(1), routed: steady(3)}),
            Case(
                name="a burst that is over",
                fires=True,
                at="16m",
                series={count: "0x20 50x280", routed: steady(3)},
            ),
            Case(
                name="the only prefiller restarted a while ago",
                fires=False,
                at="20m",
                series={
                    count: "0x20 50x280",
                    routed: steady(3),
                    of_workload(
                        s, "kube_deployment_status_replicas_available", deployment=s.prefill_deployment
                    ): "1x19 0x5 1x280",
                },
            ),
            Case(name="a single one", fires=False, at="16m", series={count: "0x20 1x280", routed: steady(3)}),
            Case(
                name="one in two hundred",
                fires=False,
                at="60m",
                series={count: steady(0.25), routed: steady(50)},
            ),
        ),
    )


def blind(s: Signals) -> Alert:
    """Counters with labels exist only once they counted: all of them missing while requests end is "
    "blindness."""
    missing = " and on () ".join(f"absent({select(name, s.router)})" for name in ROUTED)
    finished = select("vllm:request_success_total", s.decode)
    done = of_decode(s, "vllm:request_success_total", finished_reason="stop")
    return Alert(
        name="DpdRouterBlind",
        expr=f"{missing}\nand on () (sum(increase({finished}[30m])) > 0)",
        hold="15m",
        severity="warning",
        summary="Requests are served and the router shows no counters",
        meaning="Nothing tells whether requests are disaggregated: the router is not scraped, its series "
        "changed names, or "
        "they carry other labels than assumed. The alerts that compare with routed requests cannot fire.",
        first_command="kubectl -n @{operator_namespace} get pods -o wide | grep @{router_deployment}",
        cases=(
            Case(name="served, not counted", fires=True, at="30m", series={done: steady(15)}),
            Case(
                name="only short prompts so far",
                fires=False,
                at="60m",
                series={done: steady(15), of_router(s, "dpd_routing_local_total"): steady(15)},
            ),
            Case(name="nothing served", fires=False, at="60m", series={done: flat(20)}),
            Case(name="a router that restarts", fires=False, at="14m", series={done: steady(15)}),
        ),
    )
