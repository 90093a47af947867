"""What a user feels: nobody takes the request, nobody answers it, or the answer is wrong. All of them page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.wording import cardinal, duration

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

_HANG, _SILENCE, _CANARY = "5m", "15m", "10m"
"""Without a token while requests run; without a request; over which the canary is judged."""


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (no_ready_router(s), decoder_hangs(s), traffic_stopped(s), *_canary(s))


def no_ready_router(s: Signals) -> Alert:
    """Kubernetes knows; where it is not collected, a router whose series ended with the answers of its decoders."""
    matcher = f'namespace="{names.OPERATOR_NAMESPACE}",deployment="{s.router_deployment}"'
    available = select("kube_deployment_status_replicas_available", matcher)
    wanted = select("kube_deployment_spec_replicas", matcher)
    created = select("kube_deployment_created", matcher)
    seen = select("dpd_routing_inflight_prefill", s.router)
    finished = select("vllm:request_success_total", s.decode)
    return Alert(
        name="DpdNoReadyRouter",
        expr=f"(sum({available}) == 0 unless on () (sum({wanted}) == 0)\n"
        f"  and on () (time() - max({created}) > {s.deploy_seconds}))\n"
        f"or (count(max_over_time({seen}[1h])) > 0 unless on () (count({seen}) > 0)\n"
        f"  unless on () (count({available}) > 0)\n"
        f"  and on () (sum(increase({finished}[30m] offset 10m)) > {number(limit('judged_requests'))})\n"
        f"  and on () (sum(increase({finished}[5m])) == 0))",
        hold="3m",
        keep="10m",
        severity="critical",
        summary="No router is ready: no request reaches the endpoint",
        meaning="The load balancer and the service inside the cluster both end at the router. Prefillers and decoders "
        "stand and get nothing, so none of their own alerts can fire.",
        first_command="kubectl -n @{operator_namespace} describe deployment @{router_deployment}",
    )


def decoder_hangs(s: Signals) -> Alert:
    """By pod: among several the others hide one that hangs."""
    running = select("vllm:num_requests_running", s.decode)
    tokens = select("vllm:generation_tokens_total", s.decode)
    return Alert(
        name="DpdDecoderHangs",
        expr=f"(min by (pod_name) (min_over_time({running}[{_HANG}])) > 0)\n"
        f"and on (pod_name) (sum by (pod_name) (increase({tokens}[{_HANG}])) == 0)\n"
        f"and on (pod_name) (count by (pod_name) ({tokens} offset {_HANG}) > 0)",
        hold="30s",
        keep="5m",
        severity="critical",
        summary="{{ $labels.pod_name }} has running requests and writes no token",
        meaning=f"For {duration(_HANG)} requests have run on this decoder and none got a token. Its readiness is no "
        "sign: /health answers while the engine stands. Every request that is sent there hangs.",
        first_command="kubectl -n @{namespace} logs {{ $labels.pod_name }} -c @{decode_deployment} "
        "--since=10m | grep -vE 'GET /(health|metrics)' | tail -20",
    )


def traffic_stopped(s: Signals) -> Alert | Omitted:
    """Silence is an outage only where somebody said that there is none."""
    name = "DpdTrafficStopped"
    if not s.around_the_clock:
        return Omitted(
            alert=name,
            reason="traffic.around_the_clock is not set, so silence may be right; a canary tells as well",
        )
    finished = select("vllm:request_success_total", s.decode)
    return Alert(
        name=name,
        expr=f"sum(increase({finished}[{_SILENCE}])) == 0 and on () (count({finished} offset {_SILENCE}) > 0)",
        hold="1m",
        keep="5m",
        severity="critical",
        summary="No request was finished for a quarter of an hour, and traffic never pauses",
        meaning="The document says that requests arrive around the clock. Decoders are seen and finish none: requests "
        "do not reach them, or none comes to its end.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c @{router_container} "
        "--since=20m | tail -20",
    )


def _canary(s: Signals) -> tuple[Alert | Omitted, ...]:
    if not s.canary:
        return tuple(
            Omitted(alert=name, reason="observability.canary is false")
            for name in ("DpdCanaryFails", "DpdCanaryWrong", "DpdCanaryAbsent")
        )
    return (canary_fails(s), canary_wrong(s), canary_absent(s))


def _asked(s: Signals, *more: str) -> str:
    return select("dpd_canary_requests_total", s.own, *more)


def canary_fails(s: Signals) -> Alert:
    """By path: short prompts may be answered while long ones hang."""
    least = limit("canary_failures")
    failed = f"""sum by (path) (increase({_asked(s, 'outcome="error"')}[{_CANARY}]))"""
    right = f"""sum by (path) (increase({_asked(s, 'outcome!="error"')}[{_CANARY}])) > 0"""
    return Alert(
        name="DpdCanaryFails",
        expr=f"{failed} >= {number(least)} unless on (path) ({right})",
        hold="0m",
        keep="5m",
        severity="critical",
        summary="The canary gets no answer to {{ $labels.path }} prompts",
        meaning=f"{cardinal(least).capitalize()} completions or more failed within {duration(_CANARY)} and none was "
        "answered. It asks through the router as a client in the cluster would.",
        first_command="kubectl -n @{watch_namespace} logs deployment/@{canary_deployment} --since=15m | tail -20",
    )


def canary_wrong(s: Signals) -> Alert:
    """At temperature zero the same prompt has the same answer."""
    wrong = f"""sum by (path) (increase({_asked(s, 'outcome="wrong"')}[{_CANARY}]))"""
    return Alert(
        name="DpdCanaryWrong",
        expr=f"{wrong} >= {number(limit('canary_failures'))}",
        hold="0m",
        keep="10m",
        severity="critical",
        summary="Answers to {{ $labels.path }} prompts are not what they were",
        meaning="The canary asks the same at temperature zero and keeps its first answers. Another answer, again and "
        "again, with status 200: KV cache of another request, another model, or another revision of it.",
        first_command="kubectl -n @{watch_namespace} logs deployment/@{canary_deployment} --since=15m | tail -20",
    )


def canary_absent(s: Signals) -> Alert:
    """Its silence would be taken for health."""
    engines = select("vllm:num_requests_running", s.decode)
    return Alert(
        name="DpdCanaryAbsent",
        expr=f"absent({_asked(s)}) and on () (count({engines}) > 0)",
        hold="15m",
        severity="warning",
        summary="The canary is not seen: nobody asks this endpoint on our behalf",
        meaning="Decoders are up and the canary's series are not there. It is not running, or nothing scrapes it.",
        first_command="kubectl -n @{watch_namespace} get deployment,service,pods "
        "-l app.kubernetes.io/name=@{canary_deployment}",
    )
