"""Part of the KV cache does not arrive: of some requests, of one prefiller, since one of them restarted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.observability.alerts.missing import (
    ARRIVALS,
    computed_again,
    landed_too_little,
    part_computed_again,
    prefilled,
    prompts,
    traffic,
)
from hyperpod_dpd.observability.model import Alert, Case, Left
from hyperpod_dpd.observability.promql import select
from hyperpod_dpd.observability.samples import flat, of_decode, of_router, of_workload, steady
from hyperpod_dpd.observability.signals import COMPUTED_TOKENS

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Left, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (recomputed(s), stale_after_restart(s))


def recomputed(s: Signals) -> Alert | Left:
    """Partial failures too: some requests land, others are computed by the decoder."""
    name = "DpdDecoderRecomputesLongPrompts"
    bound = s.bound_above(s.threshold_tokens)
    if bound is None:
        return Left(
            alert=name,
            reason=f"no bucket bound between the threshold ({s.threshold_tokens} tokens) and the longest "
            "sequence",
        )
    half = {**traffic(s, landed_tokens=s.threshold_tokens, computed_long=1)}
    return Alert(
        name=name,
        expr=part_computed_again(s, bound),
        hold="5m",
        severity="critical",
        summary="The decoder computes long prompts itself, whole or in part",
        meaning=f"Prompts at or above the routing threshold ({s.threshold_tokens} estimated tokens) belong to "
        "the prefillers; on the decoder each one stalls every running answer. Either the KV cache of some "
        "requests does not land, or the router's estimate is far below the real token count, as it is for "
        "languages other than English.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c "
        "@{router_container} --since=15m | grep 'Conditional routing' | tail -20",
        cases=(
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
                    of_decode(s, f"{COMPUTED_TOKENS}_bucket", le=bound): flat(100),
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
        ),
    )


def _in_part(s: Signals) -> dict[str, str]:
    """Each disaggregated prompt is computed again beyond the bound below the threshold, not beyond the one above."""
    below = s.bound_below(s.threshold_tokens)
    found = traffic(s, landed_tokens=0, computed_long=0)
    if below is not None:
        found[of_decode(s, f"{COMPUTED_TOKENS}_bucket", le=below)] = steady(ARRIVALS)
    return found


def stale_after_restart(s: Signals) -> Alert:
    """One prefiller of several is a part of the traffic.

    Restarts by the kubelet count up; a replaced pod only shows in its age.
    """
    container = f'namespace="{s.namespace}",container="{s.prefill_deployment}"'
    restarts = select("kube_pod_container_status_restarts_total", container)
    created = f'kube_pod_created{{namespace="{s.namespace}",pod=~"{s.prefill_deployment}-.*"}}'
    ready = (
        f'kube_deployment_status_replicas_available{{namespace="{s.namespace}",'
        f'deployment="{s.prefill_deployment}"}}'
    )
    bound = s.bound_above(s.threshold_tokens)
    missing = f"({landed_too_little(s)}\nand ({computed_again(s)}))"
    if bound is not None:
        missing += f"\nor on () ({part_computed_again(s, bound)})"
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
    return Alert(
        name="DpdStaleDecoderAfterPrefillerRestart",
        expr=f"({missing})\nand on () (sum(increase({restarts}[30m])) > 0"
        f" or (count({created} unless {created} offset 30m) > 0 and count({created} offset 30m) > 0))\n"
        f"unless on () (sum({ready}) == 0)",
        hold="5m",
        severity="critical",
        summary="Since a prefiller restarted, its KV cache no longer lands",
        meaning="The decoder keeps connections and memory handles of prefillers that are gone; nothing in "
        "LMCache's metrics shows it. Restarting the decoder clears them.",
        first_command="kubectl -n @{namespace} get pods -l @{role_label}=prefill -o "
        "'custom-columns=POD:.metadata.name,STARTED:.status.startTime,"
        "RESTARTS:.status.containerStatuses[*].restartCount'",
        cases=(
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
        ),
    )
