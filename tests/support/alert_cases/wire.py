"""Cases of the alerts on KV cache that does not go over EFA."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.series import node_name, of_decode, of_prefill, pod_name, series
from hyperpod_dpd.observability.signals import Signals
from tests.support.alert_cases.case import Case, flat, steady

_TOKENS = 90_000
"""Tokens of a case that cross the wire every 30 s: fifteen prompts of 6,000."""


def slow(s: Signals) -> tuple[Case, ...]:
    per_token = s.kv_bytes_per_token_per_rank
    floor = s.wire_floor_bytes_per_second
    at_floor = _TOKENS * (per_token or 0) / floor
    stored = of_prefill(s, "lmcache:num_stored_tokens_total", worker_id="0")
    put = of_prefill(s, "lmcache:store_put_time_sum", worker_id="0")
    prefiller = ({"pod_name": pod_name(s.prefill_deployment)},)
    full: tuple[Case, ...] = ()
    slow_wire = {stored: steady(_TOKENS), put: steady(at_floor * 3)}
    if s.buffer_bytes:
        full = (
            Case(
                name="puts wait for a full buffer: that is another alert",
                fires=False,
                at="60m",
                series={
                    **slow_wire,
                    of_decode(s, "lmcache:local_cache_usage", worker_id="0"): flat(
                        int(s.buffer_bytes * 0.95)
                    ),
                },
            ),
            Case(
                name="the buffer is full for a minute of every four",
                fires=False,
                at="60m",
                series={
                    **slow_wire,
                    of_decode(s, "lmcache:local_cache_usage", worker_id="0"): (
                        f"{int(s.buffer_bytes * 0.95)}x1 0x5 " * 30
                    ),
                },
            ),
        )
    return (
        Case(name="a third of the floor", fires=True, at="20m", series=slow_wire, labels=prefiller),
        Case(
            name="one rank of many at a third of the floor",
            fires=True,
            at="20m",
            series={
                **slow_wire,
                **{
                    of_prefill(s, f"lmcache:{name}", worker_id=str(rank)): steady(growth)
                    for rank in range(1, 8)
                    for name, growth in (
                        ("num_stored_tokens_total", _TOKENS),
                        ("store_put_time_sum", at_floor / 20),
                    )
                },
            },
            labels=prefiller,
        ),
        Case(
            name="a little above the floor",
            fires=False,
            at="60m",
            series={stored: steady(_TOKENS), put: steady(at_floor * 0.97)},
        ),
        Case(
            name="one slow transfer, such as the first one to a new peer",
            fires=False,
            at="9m30s",
            series={stored: f"0x10 {_TOKENS}x290", put: f"0x10 {at_floor * 10}x290"},
        ),
        Case(name="no transfer", fires=False, at="60m", series={stored: flat(_TOKENS), put: flat(1)}),
        *full,
    )


def efa_silent(s: Signals) -> tuple[Case, ...]:
    expected = _TOKENS * (s.kv_bytes_per_token_per_rank or 0) * s.tensor_parallel_size
    moving = {
        of_decode(s, "vllm:prompt_tokens_by_source_total", source="external_kv_transfer"): steady(_TOKENS)
    }
    running = {of_decode(s, "vllm:num_requests_running"): flat(1)}
    one_device = {_device(node_name(s.prefill_deployment)): flat(1)}
    return (
        Case(
            name="EFA counters stand still",
            fires=True,
            at="20m",
            series={**moving, **_efa(received="5x300", read="5x300")},
        ),
        Case(
            name="an eighth of the bytes: one rank sends for all",
            fires=False,
            at="60m",
            series={**moving, **_efa(received=steady(expected * 0.125), read="0x300")},
        ),
        Case(
            name="the decoder's node shows no EFA counters: that is another alert",
            fires=False,
            at="60m",
            series={**moving, **_efa(received="5x300", read="5x300"), **running, **one_device},
        ),
        Case(
            name="nothing moves",
            fires=False,
            at="60m",
            series={
                of_decode(s, "vllm:prompt_tokens_by_source_total", source="external_kv_transfer"): flat(
                    _TOKENS
                ),
                **_efa(received="5x300", read="5x300"),
            },
        ),
    )


def efa_absent(s: Signals) -> tuple[Case, ...]:
    running = of_decode(s, "vllm:num_requests_running")
    return (
        Case(name="decoders without EFA metrics", fires=True, at="20m", series={running: flat(0)}),
        Case(
            name="one device is enough",
            fires=False,
            at="60m",
            series={running: flat(0), series("node_amazonefa_info", device="rdmap79s0"): flat(1)},
        ),
        Case(
            name="one node of two",
            fires=True,
            at="20m",
            series={
                running: flat(0),
                of_prefill(s, "vllm:num_requests_running"): flat(0),
                _device(node_name(s.prefill_deployment)): flat(1),
            },
            labels=({"node_name": node_name(s.decode_deployment)},),
        ),
        Case(
            name="each node shows its devices",
            fires=False,
            at="60m",
            series={
                running: flat(0),
                _device(node_name(s.decode_deployment)): flat(1),
            },
        ),
        Case(name="no decoder, no nodes", fires=False, at="60m", series={}),
        Case(name="a collector that restarts", fires=False, at="14m30s", series={running: flat(0)}),
    )


def _device(node: str) -> str:
    return series("node_amazonefa_info", device="rdmap79s0", node_name=node)


def _efa(*, received: str, read: str) -> dict[str, str]:
    node = {"device": "rdmap79s0", "port": "1", "instance": "node-1"}
    return {
        series("node_amazonefa_rdma_write_recv_bytes", **node): received,
        series("node_amazonefa_rdma_read_bytes", **node): read,
    }
