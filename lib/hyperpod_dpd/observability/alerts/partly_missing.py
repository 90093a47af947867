"""Part of the KV cache does not arrive: of some requests, of one prefiller, since one of them restarted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.observability.alerts.missing import (
    computed_again,
    landed_too_little,
    part_computed_again,
)
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import select

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (recomputed(s), stale_after_restart(s))


def recomputed(s: Signals) -> Alert | Omitted:
    """Partial failures too: some requests land, others are computed by the decoder."""
    name = "DpdDecoderRecomputesLongPrompts"
    bound = s.bound_above(s.threshold_tokens)
    if bound is None:
        return Omitted(
            alert=name,
            reason=f"no bucket bound between the threshold ({s.threshold_tokens} tokens) and the longest "
            "sequence",
        )
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
    )


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
    )
