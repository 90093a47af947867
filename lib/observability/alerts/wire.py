"""KV cache that arrives, but not over EFA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lib.catalog.metrics import limit
from lib.observability import recordings as r
from lib.observability.model import Alert, Case, Left
from lib.observability.promql import number, select
from lib.observability.samples import flat, of_decode, of_prefill, series, steady

if TYPE_CHECKING:
    from lib.observability.signals import Signals

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
    full: tuple[Case, ...] = ()
    slow_wire = {stored: steady(_TOKENS), put: steady(at_floor * 3)}
    if s.buffer_bytes:
        unless = f"\nunless on () (max({r.BUFFER}{{{s.own}}}) > {number(limit('buffer_near_full'))})"
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
        )
    return Alert(
        name=name,
        expr=f"{r.WIRE}{{{s.own}}} < {floor}{unless}",
        hold="5m",
        severity="critical",
        summary=f"KV cache crosses the wire below {number(floor / 1e9)} GB/s per rank",
        meaning=f"Bytes stored by the prefillers ({per_token} per token and rank, {ranks} ranks) over the "
        "time their "
        "puts took. EFA moves tens of gigabytes per second; UCX over TCP moves about a third of one.",
        first_command="kubectl -n @{namespace} logs deployment/@{prefill_deployment} -c "
        "@{prefill_deployment} --since=15m"
        " | grep -E 'put_time|Backend .* was instantiated' | tail -5",
        cases=(
            Case(name="a third of the floor", fires=True, at="20m", series=slow_wire),
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
    return Alert(
        name=name,
        expr=f"{r.EFA}{{{s.own}}} < {number(share)} * {r.EXPECTED_KV}{{{s.own}}}",
        hold="5m",
        severity="critical",
        summary="KV cache lands, but EFA counts hardly a byte",
        meaning="The transfer fell back to TCP: libfabric does so without a word when it finds no EFA "
        "device, and UCX "
        "never uses EFA for it. Answers stay right, every transfer takes tens of times as long.",
        first_command="kubectl -n @{namespace} exec deployment/@{prefill_deployment} -c @{prefill_deployment}"
        " -- sh -c 'ls /dev/infiniband; fi_info -p efa | head -3; env | grep -E \"NIXL|FI_|UCX\"'",
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
        expr=f"absent(node_amazonefa_info) and on () (count({serving}) > 0)",
        hold="15m",
        severity="warning",
        summary="EFA metrics are missing: a fallback to TCP would go unseen",
        meaning="The observability add-on leaves network metrics off by default and its EFA exporter runs "
        "on EFA nodes "
        "only. Decoders are up, so there should be some.",
        first_command="aws eks describe-addon --region @{region} --cluster-name @{eks_cluster}"
        " --addon-name amazon-sagemaker-hyperpod-observability --query addon.configurationValues --output text",
        cases=(
            Case(name="decoders without EFA metrics", fires=True, at="20m", series={hits: flat(0)}),
            Case(
                name="one device is enough",
                fires=False,
                at="60m",
                series={hits: flat(0), series("node_amazonefa_info", device="rdmap79s0"): flat(1)},
            ),
            Case(name="no decoder, no nodes", fires=False, at="60m", series={}),
            Case(name="a collector that restarts", fires=False, at="14m30s", series={hits: flat(0)}),
        ),
    )


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
