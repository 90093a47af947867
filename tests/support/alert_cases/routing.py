"""Cases of the alerts on the router."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.series import of_decode, of_prefill, of_router, of_workload
from hyperpod_dpd.observability.signals import PROMPT_TOKENS, Signals
from tests.support.alert_cases.case import Case, flat, steady


def threshold_misfit(s: Signals) -> tuple[Case, ...]:
    bound = s.bound_below(s.threshold_tokens / 2, PROMPT_TOKENS) or s.bound_below(
        s.threshold_tokens, PROMPT_TOKENS
    )
    count, bucket = (
        of_decode(s, f"{PROMPT_TOKENS}_count"),
        of_decode(s, f"{PROMPT_TOKENS}_bucket", le=bound or ""),
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
    return (
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
    )


def fallback(s: Signals) -> tuple[Case, ...]:
    count = of_router(s, "dpd_routing_fallback_total")
    routed = of_router(s, "dpd_routing_disaggregated_total")
    return (
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
    )


def blind(s: Signals) -> tuple[Case, ...]:
    done = of_decode(s, "vllm:request_success_total", finished_reason="stop")
    return (
        Case(name="served, not counted", fires=True, at="30m", series={done: steady(15)}),
        Case(
            name="only short prompts so far",
            fires=False,
            at="60m",
            series={done: steady(15), of_router(s, "dpd_routing_local_total"): steady(15)},
        ),
        Case(name="nothing served", fires=False, at="60m", series={done: flat(20)}),
        Case(name="a router that restarts", fires=False, at="14m", series={done: steady(15)}),
    )
