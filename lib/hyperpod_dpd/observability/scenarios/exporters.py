"""What each exporter of an endpoint shows: router, engines with LMCache, the log exporter, nodes and Kubernetes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import metrics
from hyperpod_dpd.observability.scenarios.series import (
    node_name,
    of_decode,
    of_prefill,
    of_router,
    of_workload,
    pod_name,
    series,
)
from hyperpod_dpd.observability.signals import COMPUTED_TOKENS, FIRST_TOKEN, INTER_TOKEN, PROMPT_TOKENS

if TYPE_CHECKING:
    from hyperpod_dpd.observability.scenarios.exported import ExportedSeries
    from hyperpod_dpd.observability.scenarios.state import Pod, Request, State

_QUICK = ((0.025, 0.6), (0.05, 0.996), (0.075, 0.999), (0.1, 1.0))
_SLOW = ((0.025, 0.05), (0.05, 0.3), (0.075, 0.6), (0.1, 0.85), (0.15, 1.0))
_LONG_AGO = -1e6
_LOCAL_COPY = 176 * 2**30
"""Bytes per second from the PD buffer into the KV cache, on one GPU."""
_GENERATION = 10
Role = Literal["prefill", "decode"]
_SIDE = {"prefill": "sender", "decode": "receiver"}


def number(place: int, pod: Pod) -> int:
    """Pods of a role are numbered by place, with tens for those that stood there before."""
    return place + _GENERATION * pod.generation


def router(
    exported: ExportedSeries, arriving: Sequence[Request], *, long: int, failed: int, state: State
) -> None:
    """Its counters come into being when they first count."""
    s = exported.s
    for name, more in (
        ("dpd_routing_disaggregated_total", long - failed),
        ("dpd_routing_local_total", len(arriving) - long),
        ("dpd_routing_fallback_total", failed),
    ):
        key = of_router(s, name)
        if more or exported.counted(key):
            exported.count(key, more)
    exported.gauge(of_router(s, "dpd_routing_inflight_prefill"), state.hung or min(long - failed, 2))
    first = [
        0.2 + r.prompt / (6000 if r.prompt * r.estimate >= s.threshold_tokens else 12000) for r in arriving
    ]
    exported.histogram(partial(of_router, s), FIRST_TOKEN, metrics.bounds(FIRST_TOKEN), first)


def prefiller(exported: ExportedSeries, place: int, pod: Pod, long: Sequence[Request], state: State) -> None:
    """One prefiller that computed ``long`` in this step and put their KV cache, rank by rank."""
    s = exported.s
    of = partial(of_prefill, s, pod=number(place, pod))
    exported.gauge(of("vllm:num_requests_waiting"), pod.waiting)
    exported.gauge(of("vllm:num_requests_running"), state.hung or min(len(long), 4))
    exported.count(of("vllm:request_success_total", finished_reason="length"), len(long))
    exported.count(of("vllm:generation_tokens_total"), len(long))
    tokens = sum(r.prompt for r in long)
    exported.count(of("vllm:prompt_tokens_total"), tokens)
    bounds = metrics.bounds(PROMPT_TOKENS, longest_tokens=s.longest_tokens or 16384)
    exported.histogram(of, PROMPT_TOKENS, bounds, [r.prompt for r in long])
    times = [r.prompt / 9000 for r in long]
    time = "vllm:request_prefill_time_seconds"
    exported.histogram(of, time, metrics.bounds(time), times)
    first = "vllm:time_to_first_token_seconds"
    exported.histogram(of, first, metrics.bounds(first), [t + 0.05 for t in times])
    if tokens or exported.counted(of("lmcache:num_stored_tokens_total", worker_id="0")):
        per_token = s.kv_bytes_per_token_per_rank or 0
        for rank in range(s.tensor_parallel_size):
            rate = pod.slow_ranks.get(rank, pod.wire)
            of_rank = partial(of, worker_id=str(rank))
            exported.count(of_rank("lmcache:num_stored_tokens_total"), tokens)
            puts = [r.prompt * per_token / rate for r in long]
            exported.histogram(
                of_rank, "lmcache:store_put_time", metrics.bounds("lmcache:store_put_time"), puts
            )
    _engine(exported, of, "prefill", pod, state)


def decoder(
    exported: ExportedSeries,
    place: int,
    pod: Pod,
    landing: Sequence[tuple[Request, float]],
    local: Sequence[Request],
    state: State,
) -> None:
    """One decoder: of ``landing`` a share each arrives, the rest and ``local`` it computes itself."""
    s = exported.s
    of = partial(of_decode, s, pod=number(place, pod))
    if pod.stuck:
        landing = local = ()
    done = [*(request for request, _ in landing), *local]
    landed = [share * pod.landing * (r.prompt - r.cached) // 256 * 256 for r, share in landing]
    computed = [r.prompt - r.cached - got for (r, _), got in zip(landing, landed, strict=True)]
    computed += [r.prompt - r.cached for r in local]
    bounds = metrics.bounds(COMPUTED_TOKENS, longest_tokens=s.longest_tokens or 16384)
    exported.histogram(of, COMPUTED_TOKENS, bounds, computed)
    exported.histogram(of, PROMPT_TOKENS, bounds, [r.prompt for r in done])
    for source, tokens in (
        ("external_kv_transfer", sum(landed)),
        ("local_compute", sum(computed)),
        ("local_cache_hit", sum(r.cached for r in done)),
    ):
        exported.count(of("vllm:prompt_tokens_by_source_total", source=source), tokens)
    for rank in range(s.tensor_parallel_size):
        exported.count(of("lmcache:num_requested_tokens_total", worker_id=str(rank)), sum(landed))
        exported.count(
            of("lmcache:num_hit_tokens_total", worker_id=str(rank)), int(sum(landed) * pod.retrievable)
        )
    exported.count(of("lmcache:lookup_0_hit_requests_total", worker_id="0"), sum(not got for got in landed))
    exported.count(of("vllm:request_success_total", finished_reason="stop"), len(done))
    failed = round(len(done) * state.failing)
    for status, counted in (("2xx", len(done) - failed), ("5xx", failed)):
        key = of("http_requests_total", handler="/v1/chat/completions", method="POST", status=status)
        if counted or exported.counted(key):
            exported.count(key, counted)
    exported.count(of("vllm:num_preemptions_total"), len(done) * pod.preempted)
    _answers(exported, of, [r.output for r in done], slow=state.slow_tokens)
    copies = [got * (s.kv_bytes_per_token_per_rank or 0) / _LOCAL_COPY for got in landed if got]
    of_rank = partial(of, worker_id="0")
    exported.histogram(
        of_rank, "lmcache:time_to_retrieve", metrics.bounds("lmcache:time_to_retrieve"), copies
    )
    busy = min(len(done) * 2, s.decode_sequences // 2)
    busy = 3 if pod.stuck else busy
    exported.gauge(of("vllm:num_requests_running"), busy if pod.running is None else pod.running)
    exported.gauge(of("vllm:num_requests_waiting"), pod.waiting)
    exported.gauge(of("vllm:kv_cache_usage_perc"), pod.kv_usage if busy else 0.0)
    if pod.named_apart:
        pod.leaked = min(1.0, pod.leaked + len(landing) * 0.0008)
    if s.buffer_bytes:
        used = min(1.0, (pod.buffer_share if done or state.hung else 0) + pod.leaked)
        exported.gauge(of("lmcache:local_cache_usage", worker_id="0"), int(used * s.buffer_bytes))
    _engine(exported, of, "decode", pod, state)
    moved = sum(landed) * (s.kv_bytes_per_token_per_rank or 0) * s.tensor_parallel_size
    if pod.efa_seen:
        exported.count(_efa(place, s.decode_deployment, "rdma_write_recv_bytes"), moved if state.efa else 0)


def _answers(exported: ExportedSeries, of: Callable[..., str], answers: Sequence[int], *, slow: bool) -> None:
    tokens, mean = sum(answers), 0.07 if slow else 0.025
    gap = "vllm:request_time_per_output_token_seconds"
    exported.histogram(
        of, gap, metrics.bounds(gap), [mean * (0.9 + 0.02 * (n % 10)) for n in range(len(answers))]
    )
    shape = dict(_SLOW if slow else _QUICK)
    share = 0.0
    for bound in metrics.bounds(INTER_TOKEN):
        share = max(share, shape.get(bound, share))
        exported.count(of(f"{INTER_TOKEN}_bucket", le=f"{bound}"), round(tokens * share))
    exported.count(of(f"{INTER_TOKEN}_bucket", le="+Inf"), tokens)
    exported.count(of(f"{INTER_TOKEN}_sum"), tokens * mean)
    exported.count(of(f"{INTER_TOKEN}_count"), tokens)
    exported.count(of("vllm:generation_tokens_total"), tokens)


def _engine(exported: ExportedSeries, of: Callable[..., str], role: Role, pod: Pod, state: State) -> None:
    exported.count(of("model_invocations_total", model_container_image=pod.image), 1)
    exported.gauge(of("vllm:cache_config_info", cache_dtype=pod.dtype), 1)
    if state.log_exporter and pod.logs_read:
        exported.count(of("dpd_log_lines_total"), 40)
        exported.count(of("dpd_log_alloc_retries_total"), pod.retries * exported.step_seconds)
        exported.gauge(of("dpd_log_pd_role_info", pd_role=pod.pd_role or _SIDE[role]), 1)
        exported.gauge(of("dpd_log_none_hash_info", none_hash=pod.none_hash), 1)
        exported.gauge(of("dpd_log_kv_dtype_info", kv_dtype=pod.dtype), 1)
        exported.gauge(of("dpd_log_hash_seed_unset"), 0)
        exported.gauge(of("dpd_log_lmcache_degraded"), int(not pod.healthy))


def cluster(exported: ExportedSeries, state: State, *, seconds: float, born: dict[str, float]) -> None:
    """Kubernetes about both roles, and what nodes count. ``born`` remembers when each pod was first seen."""
    s = exported.s
    if state.canary and s.canary:
        for path in ("short", "long"):
            for outcome in ("ok", "wrong", "error"):
                counted = 0.5 if outcome == state.canary else 0
                asked = {"namespace": s.namespace, "endpoint": s.endpoint, "path": path, "outcome": outcome}
                exported.count(series("dpd_canary_requests_total", **asked), counted)
    for name, value in (
        ("kube_deployment_status_replicas_available", state.routers),
        ("kube_deployment_spec_replicas", 1),
        ("kube_deployment_created", state.deployed_seconds),
    ):
        exported.gauge(
            series(name, namespace=names.OPERATOR_NAMESPACE, deployment=s.router_deployment), value
        )
    for deployment, pods, wanted in (
        (s.prefill_deployment, state.prefillers, state.wanted_prefillers),
        (s.decode_deployment, state.decoders, state.wanted_decoders),
    ):
        asked_for = of_workload(s, "kube_deployment_spec_replicas", deployment=deployment)
        exported.gauge(asked_for, len(pods) if wanted is None else wanted)
        available = of_workload(s, "kube_deployment_status_replicas_available", deployment=deployment)
        exported.gauge(available, sum(pod.up for pod in pods))
        exported.gauge(
            of_workload(s, "kube_deployment_created", deployment=deployment), state.deployed_seconds
        )
        for place, pod in enumerate(pods):
            name = pod_name(deployment, number(place, pod))
            labels = {"pod": name, "container": deployment}
            created = born.setdefault(name, seconds if pod.generation else _LONG_AGO)
            exported.gauge(of_workload(s, "kube_pod_created", pod=name), created)
            exported.gauge(of_workload(s, "kube_pod_container_status_restarts_total", **labels), pod.restarts)
            if pod.up:
                _hardware(exported, labels, busy=0.3 + 0.5 * (deployment == s.decode_deployment))
            if pod.efa_seen:
                node = node_name(deployment, place)
                exported.gauge(series("node_amazonefa_info", device="rdmap79s0", node_name=node), 1)
                exported.count(_efa(place, deployment, "rdma_read_bytes"), 0)
                if deployment == s.prefill_deployment:
                    exported.count(_efa(place, deployment, "rdma_write_recv_bytes"), 0)
    if state.log_exporter:
        exported.gauge(series("dpd_log_exporter_info", version="1"), 1)


def _efa(place: int, deployment: str, name: str) -> str:
    node = node_name(deployment, place)
    return series(f"node_amazonefa_{name}", device="rdmap79s0", port="1", instance=node, node_name=node)


def _hardware(exported: ExportedSeries, pod: dict[str, str], *, busy: float) -> None:
    s, gpu = exported.s, {**pod, "gpu": "0"}
    exported.gauge(of_workload(s, "DCGM_FI_DEV_GPU_UTIL", **gpu), round(100 * busy))
    exported.gauge(of_workload(s, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", **gpu), 0.9 - busy)
    exported.gauge(of_workload(s, "DCGM_FI_PROF_DRAM_ACTIVE", **gpu), busy)
    exported.count(
        of_workload(s, "container_cpu_usage_seconds_total", **pod), 8 * exported.step_seconds * busy
    )
