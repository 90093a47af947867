"""Cases of the alerts on KV cache of which a part is missing."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.series import of_decode, of_router, of_workload
from hyperpod_dpd.observability.signals import COMPUTED_TOKENS, Signals
from tests.support.alert_cases.case import Case, flat, steady
from tests.support.alert_cases.traffic import ARRIVALS, prefilled, prompts, traffic


def recomputed(s: Signals) -> tuple[Case, ...]:
    bound = s.bound_above(s.threshold_tokens)
    half = {**traffic(s, landed_tokens=s.threshold_tokens, computed_long=1)}
    return (
        Case(name="one in fifteen is computed again", fires=True, at="20m", series=half),
        Case(
            name="one in fifteen, and the rest landed whole",
            fires=True,
            at="20m",
            series={**half, **prefilled(s, landed=14 / 15)},
        ),
        Case(
            name="two in five minutes are not many",
            fires=False,
            at="60m",
            series={
                **traffic(s, landed_tokens=s.threshold_tokens, computed_long=0),
                of_decode(s, f"{COMPUTED_TOKENS}_count"): steady(0.2, first=100),
                of_decode(s, f"{COMPUTED_TOKENS}_bucket", le=bound or ""): flat(100),
            },
        ),
        Case(
            name="all that was prefilled landed: those are local prompts in a language of many tokens",
            fires=False,
            at="60m",
            series={**half, **prefilled(s, landed=1.0)},
        ),
        Case(
            name="two fifths of every prompt do not land",
            fires=True,
            at="20m",
            series={**_in_part(s), **prefilled(s, landed=0.6)},
        ),
        Case(
            name="two fifths are in the decoder's prefix cache",
            fires=False,
            at="60m",
            series={**traffic(s, landed_tokens=0, computed_long=0), **prefilled(s, landed=0.6)},
        ),
        Case(
            name="the router fell back",
            fires=False,
            at="60m",
            series={**half, of_router(s, "dpd_routing_fallback_total"): steady(1)},
        ),
    )


def _in_part(s: Signals) -> dict[str, str]:
    """Each disaggregated prompt is computed again beyond the bound below the threshold, not beyond the one above."""
    below = s.bound_below(s.threshold_tokens)
    found = traffic(s, landed_tokens=0, computed_long=0)
    if below is not None:
        found[of_decode(s, f"{COMPUTED_TOKENS}_bucket", le=below)] = steady(ARRIVALS)
    return found


def stale_after_restart(s: Signals) -> tuple[Case, ...]:
    lost = traffic(s, landed_tokens=0, computed_long=ARRIVALS)
    cached = {
        **traffic(s, landed_tokens=100, computed_long=0),
        **prompts(s, below=ARRIVALS, above=ARRIVALS),
    }
    restarted = of_workload(
        s,
        "kube_pod_container_status_restarts_total",
        container=s.prefill_deployment,
        pod=f"{s.prefill_deployment}-0",
    )
    return (
        Case(
            name="a prefiller restarted and nothing lands since",
            fires=True,
            at="70m",
            series={**lost, restarted: "0x119 1x180"},
        ),
        Case(
            name="a prefiller pod was replaced and nothing lands since",
            fires=True,
            at="70m",
            series={
                **lost,
                of_workload(s, "kube_pod_created", pod=f"{s.prefill_deployment}-old"): "100x119 stale",
                of_workload(s, "kube_pod_created", pod=f"{s.prefill_deployment}-new"): "_x119 3600x180",
            },
        ),
        Case(name="no restart", fires=False, at="70m", series={**lost, restarted: flat(1)}),
        Case(
            name="restarted, and KV cache lands",
            fires=False,
            at="70m",
            series={
                **traffic(s, landed_tokens=s.threshold_tokens, computed_long=0),
                restarted: "0x119 1x180",
            },
        ),
        Case(
            name="restarted, and the decoder has most prompts in its own prefix cache",
            fires=False,
            at="70m",
            series={**cached, restarted: "0x119 1x180"},
        ),
        Case(
            name="still restarting: that is another alert",
            fires=False,
            at="70m",
            series={
                **lost,
                restarted: "0x119 1x180",
                of_workload(
                    s, "kube_deployment_status_replicas_available", deployment=s.prefill_deployment
                ): "1x119 0x180",
            },
        ),
    )
