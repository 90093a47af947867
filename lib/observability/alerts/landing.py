"""KV cache that was computed by a prefiller and does not arrive, or not whole, at the decoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lib.catalog.metrics import limit
from lib.observability import recordings as r
from lib.observability.model import Alert, Case, Left
from lib.observability.promql import number, select
from lib.observability.samples import flat, of_decode, of_prefill, of_router, of_workload, steady
from lib.observability.signals import COMPUTED_TOKENS

if TYPE_CHECKING:
    from lib.observability.signals import Signals

_ARRIVALS = 15
"""Disaggregated requests of a case, every 30 s."""


def alerts(s: Signals) -> tuple[Alert | Left, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (not_landing(s), recomputed(s), retrieve_incomplete(s), stalled(s), stale_after_restart(s))


def landed_too_little(s: Signals) -> str:
    """Fewer tokens arrived per disaggregated request than half of the shortest prompt that is disaggregated."""
    least = number(limit("landed_share_of_threshold") * s.threshold_tokens)
    return f"{r.LANDED}{{{s.own}}} < {least}"


def not_landing(s: Signals) -> Alert | Left:
    """The decoder's own prefills stand beside the missing tokens: a prefix cache hit on the decoder is "
    "no fault."""
    name = "DpdKvNotLanding"
    if s.bound_below(s.threshold_tokens) is None:
        return Left(alert=name, reason="no bucket bound lies below the routing threshold")
    computed = " or ".join(
        f"{record}{{{s.own}}} >= 0.5 * {r.DISAGGREGATED}{{{s.own}}}"
        for record in (r.MIDDLING_PREFILLS, r.LONG_PREFILLS)
        if record == r.MIDDLING_PREFILLS or s.bound_above(s.threshold_tokens)
    )
    broken = _traffic(s, landed_tokens=0, computed_long=_ARRIVALS)
    return Alert(
        name=name,
        expr=f"{landed_too_little(s)}\nand ({computed})",
        hold="5m",
        severity="critical",
        summary="KV cache does not reach the decoder: every long prompt is computed twice",
        meaning="The router disaggregates, but the decoder finds next to nothing of what the prefillers "
        "computed and "
        "computes the prompts again. No request fails. Usual causes: another hash seed, role, image, model "
        "path or KV dtype on one side.",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c "
        "@{decode_deployment} --since=15m"
        " | grep 'LMCache hit tokens: 0' | tail -3",
        cases=(
            Case(name="nothing lands, the decoder computes all", fires=True, at="20m", series=broken),
            Case(
                name="just above half of the threshold lands",
                fires=False,
                at="60m",
                series=_traffic(s, landed_tokens=int(s.threshold_tokens * 0.5) + 8, computed_long=_ARRIVALS),
            ),
            Case(
                name="the decoder had most of it in its own prefix cache",
                fires=False,
                at="60m",
                series=_traffic(s, landed_tokens=100, computed_long=0),
            ),
            Case(name="not held long enough", fires=False, at="4m30s", series=broken),
        ),
    )


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
    least = number(limit("recomputed_requests"))
    whole = number(limit("retrieved_share") * s.threshold_tokens)
    half = {**_traffic(s, landed_tokens=s.threshold_tokens, computed_long=1)}
    return Alert(
        name=name,
        expr=f"{r.RECENT_LONG_PREFILLS}{{{s.own}}} >= {least}\nunless {r.RETRIEVED}{{{s.own}}} >= {whole}",
        hold="5m",
        severity="critical",
        summary=f"The decoder computes prompts of more than {float(bound):.0f} tokens itself",
        meaning=f"Prompts at or above the routing threshold ({s.threshold_tokens} estimated tokens) belong "
        "to the "
        "prefillers; on the decoder each one stalls every running answer. Either the KV cache of some "
        "requests does "
        "not land, or the router's estimate is far below the real token count, as it is for languages "
        "other than "
        "English.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c "
        "router-container"
        " --since=15m | grep 'Conditional routing' | tail -5",
        cases=(
            Case(name="one in fifteen is computed again", fires=True, at="20m", series=half),
            Case(
                name="two in five minutes are not many",
                fires=False,
                at="60m",
                series={
                    **_traffic(s, landed_tokens=s.threshold_tokens, computed_long=0),
                    of_decode(s, f"{COMPUTED_TOKENS}_count"): steady(0.2, first=100),
                    of_decode(s, f"{COMPUTED_TOKENS}_bucket", le=bound): flat(100),
                },
            ),
            Case(
                name="everything disaggregated is retrieved: those are local prompts in a language of "
                "many tokens",
                fires=False,
                at="60m",
                series={
                    **half,
                    of_decode(s, "lmcache:num_hit_tokens_total", worker_id="0"): steady(
                        s.tensor_parallel_size * _ARRIVALS * s.threshold_tokens * 1.5
                    ),
                },
            ),
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
        meaning="LMCache on the decoder found blocks and failed to load part of them. vLLM then computes "
        "the rest "
        "again, or the answer starts from wrong cache blocks.",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c "
        "@{decode_deployment} --since=15m"
        " | grep -E 'Retrieved 0 out of|less than the expected|failed to load' | tail -5",
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
        "landed. A "
        "prefiller that waits for a decoder which has gone, or a decoder without a free page, waits for "
        "ever: neither "
        "side has a timeout.",
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


def stale_after_restart(s: Signals) -> Alert:
    """Restarts by the kubelet count up; a replaced pod only shows in its age."""
    container = f'namespace="{s.namespace}",container="{s.prefill_deployment}"'
    restarts = select("kube_pod_container_status_restarts_total", container)
    created = f'kube_pod_created{{namespace="{s.namespace}",pod=~"{s.prefill_deployment}-.*"}}'
    ready = (
        f'kube_deployment_status_replicas_available{{namespace="{s.namespace}",'
        f'deployment="{s.prefill_deployment}"}}'
    )
    lost = _traffic(s, landed_tokens=0, computed_long=_ARRIVALS)
    restarted = of_workload(
        s,
        "kube_pod_container_status_restarts_total",
        container=s.prefill_deployment,
        pod=f"{s.prefill_deployment}-0",
    )
    return Alert(
        name="DpdStaleDecoderAfterPrefillerRestart",
        expr=f"{landed_too_little(s)}\n"
        f"and on () (sum(increase({restarts}[30m])) > 0"
        f" or (count({created} unless {created} offset 30m) > 0 and count({created} offset 30m) > 0))\n"
        f"unless on () (sum({ready}) == 0)",
        hold="5m",
        severity="critical",
        summary="Since a prefiller restarted, its KV cache no longer lands",
        meaning="The decoder keeps connections and memory handles of prefillers that are gone; nothing in "
        "LMCache's "
        "metrics shows it. Restarting the decoder clears them.",
        first_command="kubectl -n @{namespace} get pods -l @{role_label}=prefill"
        " -o custom-columns=POD:.metadata.name,STARTED:.status.startTime",
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
                    **_traffic(s, landed_tokens=s.threshold_tokens, computed_long=0),
                    restarted: "0x119 1x180",
                },
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


def _traffic(s: Signals, *, landed_tokens: float, computed_long: float) -> dict[str, str]:
    """Fifteen disaggregated and fifteen local requests every 30 s; counts are per 30 s."""
    below, above = s.bound_below(s.threshold_tokens), s.bound_above(s.threshold_tokens)
    found = {
        of_router(s, "dpd_routing_disaggregated_total"): steady(_ARRIVALS),
        of_router(s, "dpd_routing_local_total"): steady(_ARRIVALS),
        of_decode(s, "vllm:external_prefix_cache_hits_total"): steady(_ARRIVALS * landed_tokens),
        of_decode(s, f"{COMPUTED_TOKENS}_count"): steady(2 * _ARRIVALS),
    }
    for bound in (below, above):
        if bound is not None:
            found[of_decode(s, f"{COMPUTED_TOKENS}_bucket", le=bound)] = steady(2 * _ARRIVALS - computed_long)
    return found
