"""A small model of an endpoint's exporters: requests in, the series of router, prefiller, decoder and EFA out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.catalog import metrics
from lib.observability.samples import of_decode, of_prefill, of_router, of_workload, pod_name, series
from lib.observability.scenarios.recording import STEP_SECONDS, Recording
from lib.observability.signals import COMPUTED_TOKENS, FIRST_TOKEN, INTER_TOKEN, PROMPT_TOKENS

if TYPE_CHECKING:
    from lib.observability.signals import Signals

ESTIMATE_PER_TOKEN = 1.12
_HEALTHY_WIRE = 20e9
_SLOW_WIRE = 0.3e9
_QUICK = ((0.025, 0.6), (0.05, 0.996), (0.075, 0.999), (0.1, 1.0))
_SLOW = ((0.025, 0.05), (0.05, 0.3), (0.075, 0.6), (0.1, 0.85), (0.15, 1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Tokens of one request; ``cached`` of its prompt are in the decoder's own prefix cache."""

    prompt: int
    output: int = 300
    cached: int = 0


@dataclass(slots=True, kw_only=True)
class State:
    """How the endpoint is at one step; a scenario changes it as time goes by."""

    landing: float = 1.0
    wire_bytes_per_second: float = _HEALTHY_WIRE
    efa: bool = True
    efa_exporter: bool = True
    prefill_up: bool = True
    decode_up: bool = True
    prefill_restarts: int = 0
    prefill_waiting: float = 0
    decode_waiting: float = 0
    decode_running: float | None = None
    slow_tokens: bool = False
    leaked_share: float = 0.0
    buffer_share: float = 0.02
    failing_prefill: float = 0.0
    hung: int = 0
    one_image: bool = True
    one_hash: bool = True
    roles_right: bool = True
    one_dtype: bool = True
    lmcache_healthy: bool = True
    retrievable: float = 1.0
    preempted: float = 0.0
    alloc_retries: float = 0.0
    router_seen: bool = True
    log_exporter: bool = True


Traffic = Callable[[int], Sequence[Request]]
"""Requests that arrive within a step."""
Course = Callable[[int, State], None]
"""What happens to the endpoint at a step."""


class Recorder:
    """Plays traffic against a state, step by step, and keeps what exporters would show."""

    def __init__(self, s: Signals, *, name: str, steps: int) -> None:
        self._s = s
        self._name = name
        self._steps = steps
        self._values: dict[str, list[float | None]] = {}
        self._totals: dict[str, float] = {}
        self._now: dict[str, float] = {}

    def play(self, traffic: Traffic, course: Course) -> Recording:
        """The recording; KV cache lands one step after its request was routed."""
        state = State()
        underway: list[Request] = []
        for step in range(self._steps):
            course(step, state)
            arriving = list(traffic(step))
            self._now = {}
            self._router(arriving, state)
            long = [request for request in arriving if self._disaggregates(request)]
            if state.prefill_up and not state.hung:
                self._prefill(long, state)
                self._decode(underway, [r for r in arriving if r not in long], state)
                underway = long
            else:
                self._prefill([], state)
                self._decode([], [r for r in arriving if r not in long], state)
                underway = []
            self._cluster(state)
            self._keep(step)
        return Recording(
            name=self._name, steps=self._steps, values={k: tuple(v) for k, v in sorted(self._values.items())}
        )

    def _keep(self, step: int) -> None:
        for key, value in self._now.items():
            self._values.setdefault(key, [None] * step).append(float(value))
        for values in self._values.values():
            if len(values) == step:
                values.append(None)

    def _count(self, key: str, more: float = 0) -> None:
        self._totals[key] = self._totals.get(key, 0) + more
        self._now[key] = self._totals[key]

    def _disaggregates(self, request: Request) -> bool:
        return request.prompt * ESTIMATE_PER_TOKEN >= self._s.threshold_tokens

    def _histogram(
        self, of: Callable[..., str], name: str, bounds: Sequence[float], seen: Sequence[float]
    ) -> None:
        for bound in bounds:
            self._count(of(self._s, f"{name}_bucket", le=f"{bound}"), sum(1 for v in seen if v <= bound))
        self._count(of(self._s, f"{name}_bucket", le="+Inf"), len(seen))
        self._count(of(self._s, f"{name}_sum"), sum(seen))
        self._count(of(self._s, f"{name}_count"), len(seen))

    def _router(self, arriving: Sequence[Request], state: State) -> None:
        s = self._s
        if not state.router_seen:
            return
        long = sum(map(self._disaggregates, arriving))
        failed = round(long * state.failing_prefill)
        for name, more in (
            ("dpd_routing_disaggregated_total", long - failed),
            ("dpd_routing_local_total", len(arriving) - long),
            ("dpd_routing_fallback_total", failed),
        ):
            key = of_router(s, name)
            # A counter with labels is not there before it counted.
            if more or key in self._totals:
                self._count(key, more)
        self._now[of_router(s, "dpd_routing_inflight_prefill")] = state.hung or min(long, 2)
        first = [0.2 + r.prompt / (6000 if self._disaggregates(r) else 12000) for r in arriving]
        self._histogram(of_router, FIRST_TOKEN, metrics.bounds(FIRST_TOKEN), first)

    def _prefill(self, long: Sequence[Request], state: State) -> None:
        s = self._s
        if not state.prefill_up:
            return
        self._now[of_prefill(s, "vllm:num_requests_waiting")] = state.prefill_waiting
        self._now[of_prefill(s, "vllm:num_requests_running")] = state.hung or min(len(long), 4)
        self._count(of_prefill(s, "vllm:request_success_total", finished_reason="length"), len(long))
        self._count(of_prefill(s, "vllm:generation_tokens_total"), len(long))
        times = [r.prompt / 9000 for r in long]
        latency = metrics.bounds("vllm:request_prefill_time_seconds")
        self._histogram(of_prefill, "vllm:request_prefill_time_seconds", latency, times)
        bounds = metrics.bounds("vllm:time_to_first_token_seconds")
        self._histogram(of_prefill, "vllm:time_to_first_token_seconds", bounds, [t + 0.05 for t in times])
        tokens = sum(r.prompt for r in long)
        self._now[of_prefill(s, "lmcache:lmcache_is_healthy", worker_id="0")] = 1
        if tokens or of_prefill(s, "lmcache:num_stored_tokens_total", worker_id="0") in self._totals:
            per_token = s.kv_bytes_per_token_per_rank or 0
            puts = [r.prompt * per_token / state.wire_bytes_per_second for r in long]
            for rank in range(s.tensor_parallel_size):
                self._count(of_prefill(s, "lmcache:num_stored_tokens_total", worker_id=str(rank)), tokens)
                self._count(of_prefill(s, "lmcache:store_put_time_sum", worker_id=str(rank)), sum(puts))
                self._count(of_prefill(s, "lmcache:store_put_time_count", worker_id=str(rank)), len(puts))
                for bound in metrics.bounds("lmcache:store_put_time"):
                    key = of_prefill(s, "lmcache:store_put_time_bucket", worker_id=str(rank), le=f"{bound}")
                    self._count(key, sum(1 for put in puts if put <= bound))
        self._engine(of_prefill, "sender" if state.roles_right else "receiver", "1f", "auto", state)

    def _decode(self, landing: Sequence[Request], local: Sequence[Request], state: State) -> None:
        s = self._s
        if not state.decode_up:
            return
        longest = s.longest_tokens or 16384
        done = [*landing, *local]
        landed = [state.landing * (r.prompt - r.cached) // 256 * 256 if state.landing else 0 for r in landing]
        computed = [r.prompt - r.cached - got for r, got in zip(landing, landed, strict=True)]
        computed += [r.prompt - r.cached for r in local]
        bounds = metrics.bounds(COMPUTED_TOKENS, longest_tokens=longest)
        self._histogram(of_decode, COMPUTED_TOKENS, bounds, computed)
        self._histogram(of_decode, PROMPT_TOKENS, bounds, [r.prompt for r in done])
        self._count(of_decode(s, "vllm:external_prefix_cache_hits_total"), sum(landed))
        for source, tokens in (
            ("external_kv_transfer", sum(landed)),
            ("local_compute", sum(computed)),
            ("local_cache_hit", sum(r.cached for r in done)),
        ):
            self._count(of_decode(s, "vllm:prompt_tokens_by_source_total", source=source), tokens)
        for rank in range(s.tensor_parallel_size):
            worker = str(rank)
            self._count(of_decode(s, "lmcache:num_requested_tokens_total", worker_id=worker), sum(landed))
            hits = int(sum(landed) * state.retrievable)
            self._count(of_decode(s, "lmcache:num_hit_tokens_total", worker_id=worker), hits)
        self._count(of_decode(s, "vllm:request_success_total", finished_reason="stop"), len(done))
        tokens = sum(r.output for r in done)
        self._count(of_decode(s, "vllm:generation_tokens_total"), tokens)
        self._count(of_decode(s, "vllm:num_preemptions_total"), len(done) * state.preempted)
        self._tokens(tokens, state)
        busy = min(len(done) * 2, s.decode_sequences // 2)
        self._now[of_decode(s, "vllm:num_requests_running")] = (
            busy if state.decode_running is None else state.decode_running
        )
        self._now[of_decode(s, "vllm:num_requests_waiting")] = state.decode_waiting
        self._now[of_decode(s, "vllm:kv_cache_usage_perc")] = 0.4 if busy else 0.0
        if s.buffer_bytes:
            used = min(1.0, (state.buffer_share if done or state.hung else 0) + state.leaked_share)
            self._now[of_decode(s, "lmcache:local_cache_usage", worker_id="0")] = int(used * s.buffer_bytes)
        self._now[of_decode(s, "lmcache:lmcache_is_healthy", worker_id="0")] = int(state.lmcache_healthy)
        if state.log_exporter:
            self._count(of_decode(s, "dpd_log_alloc_retries_total"), state.alloc_retries * STEP_SECONDS)
        decode_hash = "1f" if state.one_hash else "2e"
        self._engine(of_decode, "receiver", decode_hash, "auto" if state.one_dtype else "fp8", state)
        if state.efa and state.efa_exporter:
            moved = sum(landed) * (s.kv_bytes_per_token_per_rank or 0) * s.tensor_parallel_size
            self._count(series("node_amazonefa_rdma_write_recv_bytes", **_DEVICE), moved)
        elif state.efa_exporter:
            self._count(series("node_amazonefa_rdma_write_recv_bytes", **_DEVICE), 0)

    def _tokens(self, tokens: int, state: State) -> None:
        shape = dict(_SLOW if state.slow_tokens else _QUICK)
        share = 0.0
        for bound in metrics.bounds(INTER_TOKEN):
            share = max(share, shape.get(bound, share))
            self._count(of_decode(self._s, f"{INTER_TOKEN}_bucket", le=f"{bound}"), round(tokens * share))
        self._count(of_decode(self._s, f"{INTER_TOKEN}_bucket", le="+Inf"), tokens)
        self._count(of_decode(self._s, f"{INTER_TOKEN}_sum"), tokens * (0.07 if state.slow_tokens else 0.025))
        self._count(of_decode(self._s, f"{INTER_TOKEN}_count"), tokens)

    def _engine(self, of: Callable[..., str], role: str, none_hash: str, dtype: str, state: State) -> None:
        s = self._s
        image = "v1.1" if state.one_image or of is of_prefill else "v1.0"
        self._count(of(s, "model_invocations_total", model_container_image=image), 1)
        self._now[of(s, "vllm:cache_config_info", cache_dtype=dtype)] = 1
        if state.log_exporter:
            self._now[of(s, "dpd_log_pd_role_info", pd_role=role)] = 1
            self._now[of(s, "dpd_log_none_hash_info", none_hash=none_hash)] = 1
            self._now[of(s, "dpd_log_hash_seed_unset")] = 0
            self._now[of(s, "dpd_log_lmcache_degraded")] = 0

    def _cluster(self, state: State) -> None:
        s = self._s
        for deployment, up, restarts in (
            (s.prefill_deployment, state.prefill_up, state.prefill_restarts),
            (s.decode_deployment, state.decode_up, 0),
        ):
            self._now[of_workload(s, "kube_deployment_status_replicas_available", deployment=deployment)] = (
                int(up)
            )
            self._now[of_workload(s, "kube_deployment_created", deployment=deployment)] = -1e6
            pod = {"pod": pod_name(deployment), "container": deployment}
            if up:
                self._hardware(pod, busy=0.3 + 0.5 * (deployment == s.decode_deployment))
            self._now[of_workload(s, "kube_pod_container_status_restarts_total", **pod)] = restarts
        if state.efa_exporter:
            self._now[series("node_amazonefa_info", device="rdmap79s0")] = 1
            self._count(series("node_amazonefa_rdma_read_bytes", **_DEVICE), 0)
        if state.log_exporter:
            self._now[series("dpd_log_exporter_info", version="1")] = 1

    def _hardware(self, pod: dict[str, str], *, busy: float) -> None:
        s, gpu = self._s, {**pod, "gpu": "0"}
        self._now[of_workload(s, "DCGM_FI_DEV_GPU_UTIL", **gpu)] = round(100 * busy)
        self._now[of_workload(s, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", **gpu)] = 0.9 - busy
        self._now[of_workload(s, "DCGM_FI_PROF_DRAM_ACTIVE", **gpu)] = busy
        self._count(of_workload(s, "container_cpu_usage_seconds_total", **pod), 8 * STEP_SECONDS * busy)


_DEVICE = {"device": "rdmap79s0", "port": "1", "instance": "node-1"}
SLOW_WIRE = _SLOW_WIRE
