"""KV cache that arrives, but not over EFA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.model import Alert, Omitted
from hyperpod_dpd.observability.promql import number, select

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Omitted, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (slow(s), efa_silent(s), efa_absent(s))


def slow(s: Signals) -> Alert | Omitted:
    """The prefiller's put is the wire; what the decoder logs as throughput is a copy inside its own GPU."""
    name = "DpdKvWireSlow"
    per_token = s.kv_bytes_per_token_per_rank
    if per_token is None:
        return Omitted(alert=name, reason="bytes per token are unknown, so no rate can be computed")
    floor = s.wire_floor_bytes_per_second
    ranks = s.tensor_parallel_size
    unless = ""
    if s.buffer_bytes:
        # The puts of the last five minutes are judged, so the buffer of these five minutes counts.
        fullest = f"max(max_over_time({r.BUFFER}{{{s.own}}}[5m]))"
        unless = f"\nunless on () ({fullest} > {number(limit('buffer_near_full'))})"
    return Alert(
        name=name,
        expr=f"min by (pod_name) ({r.WIRE}{{{s.own}}}) < {floor}{unless}",
        hold="5m",
        severity="critical",
        summary=f"KV cache of {{{{ $labels.pod_name }}}} crosses the wire below {number(floor / 1e9)} GB/s per rank",
        meaning=f"Bytes stored by the slowest rank of the prefiller ({per_token} per token and rank, {ranks} ranks) "
        "over the time its puts took; every transfer waits for that rank. EFA moves tens of "
        "gigabytes per second; UCX over TCP moves about a third of one.",
        first_command="kubectl -n @{namespace} logs {{ $labels.pod_name }} -c @{prefill_deployment} "
        "| grep -E 'Backend .* was instantiated|plugin' | head",
    )


def efa_silent(s: Signals) -> Alert | Omitted:
    """Independent of any timing: bytes that EFA counted against bytes that must have crossed."""
    name = "DpdEfaSilent"
    if reason := _without_efa(s):
        return Omitted(alert=name, reason=reason)
    if s.kv_bytes_per_token_per_rank is None:
        return Omitted(alert=name, reason="bytes per token are unknown, so what EFA should count is too")
    share = limit("efa_share_of_expected")
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
    )


def efa_absent(s: Signals) -> Alert | Omitted:
    """Without the exporter the alert above cannot fire, and nobody would know."""
    name = "DpdEfaMetricsAbsent"
    if reason := _without_efa(s):
        return Omitted(alert=name, reason=reason)
    serving = select("vllm:num_requests_running", s.decode)
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
    )


def _nodes_without(matchers: str) -> str:
    """Nodes of pods whose EFA exporter shows nothing, where both name their node; nothing where either does not."""
    pods = select("vllm:num_requests_running", matchers, 'node_name!=""')
    devices = 'node_amazonefa_info{node_name!=""}'
    return (
        f"count by (node_name) ({pods}) unless on (node_name) count by (node_name) ({devices})"
        f" and on () (count({devices}) > 0)"
    )


def _without_efa(s: Signals) -> str | None:
    if not s.efa:
        return "the roles have no EFA interfaces"
    if not s.network_metrics:
        return "observability.network_metrics is false, so there are no EFA counters"
    return None
