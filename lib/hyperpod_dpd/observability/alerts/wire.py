"""KV cache that arrives, but not over EFA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.model import Alert, Case, Left
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.samples import (
    flat,
    node_name,
    of_decode,
    of_prefill,
    pod_name,
    series,
    steady,
)

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals

_TOKENS = 90_000
"""Tokens of a case that cross the wire every 30 s: fifteen prompts of 6,000."""


def alerts(s: Signals) -> tuple[Alert | Left, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (slow(s), efa_silent(s), efa_absent(s))


def slow(s: Signals) -> Alert | Left:
    """The prefiller's put is the wire; what the decoder logs as throughput is a copy inside its own GPU."""
    name = "DpdKvWireSlow"
    per_token = s.kv_bytes_per_token_per_rank
    if per_token is None:
        return Left(alert=name, reason="bytes per token are unknown, so no rate can be computed")
    floor = s.wire_floor_bytes_per_second
    ranks = s.tensor_parallel_size
    at_floor = _TOKENS * per_token / floor
    stored = of_prefill(s, "lmcache:num_stored_tokens_total", worker_id="0")
    put = of_prefill(s, "lmcache:store_put_time_sum", worker_id="0")
    unless = ""
    prefiller = ({"pod_name": pod_name(s.prefill_deployment)},)
    full: tuple[Case, ...] = ()
    slow_wire = {stored: steady(_TOKENS), put: steady(at_floor * 3)}
    if s.buffer_bytes:
        # The puts of the last five minutes are judged, so the buffer of these five minutes counts.
        fullest = f"max(max_over_time({r.BUFFER}{{{s.own}}}[5m]))"
        unless = f"\nunless on () ({fullest} > {number(limit('buffer_near_full'))})"
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
    return Alert(
        name=name,
        expr=f"min by (pod_name) ({r.WIRE}{{{s.own}}}) < {floor}{unless}",
        hold="5m",
        severity="critical",
        summary=f"KV cache of {{{{ $labels.pod_name }}}} crosses the wire below {number(floor / 1e9)} GB/s per rank",
        meaning=f"Bytes stored by the slowest rank of the prefiller ({per_token} per token and rank, {ranks} ranks) "
        "over the time its puts took; every transfer waits for that rank. EFA moves tens of "
        "gigabytes per second; UCX over TCP moves about a third of one.",
        first_command="kubectl -n @{namespace} logs deployment/@{prefill_deployment} -c @{prefill_deployment} "
        "| grep -E 'Backend .* was instantiated|plugin' | head",
        cases=(
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
        ),
    )


def efa_silent(s: Signals) -> Alert | Left:
    """Independent of any timing: bytes that EFA counted against bytes that must have crossed."""
    name = "DpdEfaSilent"
    if reason := _without_efa(s):
        return Left(alert=name, reason=reason)
    if s.kv_bytes_per_token_per_rank is None:
        return Left(alert=name, reason="bytes per token are unknown, so what EFA should count is too")
    share = limit("efa_share_of_expected")
    expected = _TOKENS * s.kv_bytes_per_token_per_rank * s.tensor_parallel_size
    moving = {of_decode(s, "vllm:external_prefix_cache_hits_total"): steady(_TOKENS)}
    running = {of_decode(s, "vllm:num_requests_running"): flat(1)}
    one_device = {_device(node_name(s.prefill_deployment)): flat(1)}
    return Alert(
        name=name,
        expr=f"{r.EFA}{{{s.own}}} < {number(share)} * {r.EXPECTED_KV}{{{s.own}}}"
        f"\nunless on () ({_nodes_without(s.decode)})",
        hold="5m",
        severity="critical",
        summary="KV cache lands, but EFA counts hardly a byte",
        meaning="The transfer fell back to TCP: libfabric does so without a word when it finds no EFA "
        "device, and UCX never uses EFA for it. Answers stay right, every transfer takes tens of times as long.",
        first_command="kubectl -n @{namespace} exec deployment/@{decode_deployment} -c @{decode_deployment} -- "
        "sh -c 'cat /sys/class/infiniband/*/ports/1/hw_counters/rdma_write_recv_bytes'",
        cases=(
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
                    of_decode(s, "vllm:external_prefix_cache_hits_total"): flat(_TOKENS),
                    **_efa(received="5x300", read="5x300"),
                },
            ),
        ),
    )


def efa_absent(s: Signals) -> Alert | Left:
    """Without the exporter the alert above cannot fire, and nobody would know."""
    name = "DpdEfaMetricsAbsent"
    if reason := _without_efa(s):
        return Left(alert=name, reason=reason)
    serving = select("vllm:external_prefix_cache_hits_total", s.decode)
    hits = of_decode(s, "vllm:external_prefix_cache_hits_total")
    return Alert(
        name=name,
        expr=f"(absent(node_amazonefa_info) and on () (count({serving}) > 0))\nor ({_nodes_without(s.pods)})",
        hold="15m",
        severity="warning",
        summary="EFA metrics are missing: a fallback to TCP would go unseen",
        meaning="The observability add-on leaves network metrics off by default and its EFA exporter runs on EFA "
        "nodes only. Decoders are up, so there should be some. With the label node_name it is that node alone whose "
        "exporter shows nothing.",
        first_command="aws eks describe-addon --region @{region} --cluster-name @{eks_cluster} --addon-name "
        "amazon-sagemaker-hyperpod-observability --query "
        "'addon.{status:status,values:configurationValues}'",
        cases=(
            Case(name="decoders without EFA metrics", fires=True, at="20m", series={hits: flat(0)}),
            Case(
                name="one device is enough",
                fires=False,
                at="60m",
                series={hits: flat(0), series("node_amazonefa_info", device="rdmap79s0"): flat(1)},
            ),
            Case(
                name="one node of two",
                fires=True,
                at="20m",
                series={
                    hits: flat(0),
                    of_decode(s, "vllm:num_requests_running"): flat(0),
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
                    hits: flat(0),
                    of_decode(s, "vllm:num_requests_running"): flat(0),
                    _device(node_name(s.decode_deployment)): flat(1),
                },
            ),
            Case(name="no decoder, no nodes", fires=False, at="60m", series={}),
            Case(name="a collector that restarts", fires=False, at="14m30s", series={hits: flat(0)}),
        ),
    )


def _nodes_without(matchers: str) -> str:
    """Nodes of pods whose EFA exporter shows nothing, where both name their node; nothing where either does not."""
    pods = select("vllm:num_requests_running", matchers, 'node_name!=""')
    devices = 'node_amazonefa_info{node_name!=""}'
    return (
        f"count by (node_name) ({pods}) unless on (node_name) count by (node_name) ({devices})"
        f" and on () (count({devices}) > 0)"
    )


def _device(node: str) -> str:
    return series("node_amazonefa_info", device="rdmap79s0", node_name=node)


def _without_efa(s: Signals) -> str | None:
    if not s.efa:
        return "the roles have no EFA interfaces"
    if not s.network_metrics:
        return "observability.network_metrics is false, so there are no EFA counters"
    return None


def _efa(*, received: str, read: str) -> dict[str, str]:
    node = {"device": "rdmap79s0", "port": "1", "instance": "node-1"}
    return {
        series("node_amazonefa_rdma_write_recv_bytes", **node): received,
        series("node_amazonefa_rdma_read_bytes", **node): read,
    }
