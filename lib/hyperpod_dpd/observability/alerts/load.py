"""Which side is short of capacity, and whether decoders share the load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability import recordings as r
from hyperpod_dpd.observability.model import Alert, Case, Left
from hyperpod_dpd.observability.promql import number, select
from hyperpod_dpd.observability.samples import flat, of_decode, of_prefill, steady
from hyperpod_dpd.observability.signals import INTER_TOKEN

if TYPE_CHECKING:
    from hyperpod_dpd.observability.signals import Signals


def alerts(s: Signals) -> tuple[Alert | Left, ...]:
    """The alerts on this subject, or why the endpoint cannot have one."""
    return (decoder_saturated(s), prefill_short(s), overloaded(s), preempting(s), load_skew(s))


def queue_stays(s: Signals, record: str) -> str:
    """More than one request waited at every moment of five minutes: bursts come to an end."""
    return f"min_over_time({record}{{{s.own}}}[5m]) > {number(limit('waiting_requests'))}"


def queue_is_empty(s: Signals, record: str) -> str:
    """Less than one request waited at every moment of five minutes."""
    return f"max_over_time({record}{{{s.own}}}[5m]) < {number(limit('waiting_requests'))}"


def decoder_saturated(s: Signals) -> Alert:
    """A queue alone is a burst; with slow tokens, full batches or a full cache it is saturation."""
    busy = limit("busy_share")
    running = select("vllm:num_requests_running", s.decode)
    evidence = (
        f"{r.LATENCY}{{{s.own}}} > {number(limit('latency_growth'))} * ({r.LATENCY}{{{s.own}}} offset 1h)",
        f"sum({running}) >= {number(busy * s.decode_sequences)} * count({running})",
        f"max({select('vllm:kv_cache_usage_perc', s.decode)}) > {number(busy)}",
    )
    full = int(s.decode_sequences)
    return Alert(
        name="DpdDecoderSaturated",
        expr=f"{queue_stays(s, r.DECODE_WAITING)}\nunless {queue_stays(s, r.PREFILL_WAITING)}\n"
        f"and on () ({' or '.join(f'({part})' for part in evidence)})",
        hold="10m",
        severity="warning",
        summary="The decoder is saturated while prefill keeps up",
        meaning="Requests wait for decode for a quarter of an hour, and the decoder runs full batches "
        f"({s.decode_sequences} sequences), a full KV cache, or a third slower than an hour ago. More prefillers "
        "do not help.",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c "
        "@{decode_deployment} --since=2m"
        " | grep 'Running:' | tail -3",
        cases=(
            Case(
                name="full batches and a queue",
                fires=True,
                at="20m",
                series={
                    **_queues(s, prefill=0, decode=9),
                    of_decode(s, "vllm:num_requests_running"): flat(full),
                },
            ),
            Case(
                name="tokens come slower than an hour ago",
                fires=True,
                at="80m",
                series={
                    **_queues(s, prefill=0, decode=9),
                    of_decode(s, f"{INTER_TOKEN}_sum"): "0+10x130 1300+30x170",
                    of_decode(s, f"{INTER_TOKEN}_count"): steady(500),
                },
            ),
            Case(
                name="a queue, but room in the batch",
                fires=False,
                at="60m",
                series={
                    **_queues(s, prefill=0, decode=9),
                    of_decode(s, "vllm:num_requests_running"): flat(int(full * busy) - 1),
                    of_decode(s, "vllm:kv_cache_usage_perc"): flat(0.5),
                },
            ),
            Case(
                name="the queue drains in between",
                fires=False,
                at="60m",
                series={
                    of_prefill(s, "vllm:num_requests_waiting"): flat(0),
                    of_decode(s, "vllm:num_requests_waiting"): "20x5 0x2 " * 40,
                    of_decode(s, "vllm:num_requests_running"): flat(full),
                },
            ),
        ),
    )


def prefill_short(s: Signals) -> Alert:
    """The opposite of a saturated decoder."""
    return Alert(
        name="DpdPrefillShort",
        expr=f"{queue_stays(s, r.PREFILL_WAITING)}\nunless {queue_stays(s, r.DECODE_WAITING)}",
        hold="10m",
        severity="warning",
        summary="Requests queue for prefill while the decoder has room",
        meaning="Time to the first token grows and the gap between tokens does not. More prefillers, or a "
        "higher routing threshold, shorten the queue.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c @{router_container} "
        "--since=15m | grep -o 'disaggregate=[TF][a-z]*' | sort | uniq -c",
        cases=(
            Case(name="a standing queue", fires=True, at="20m", series=_queues(s, prefill=6, decode=0)),
            Case(name="one waits", fires=False, at="60m", series=_queues(s, prefill=1, decode=0)),
            Case(name="both queue", fires=False, at="60m", series=_queues(s, prefill=6, decode=6)),
            Case(
                name="bursts of three minutes",
                fires=False,
                at="60m",
                series={
                    of_prefill(s, "vllm:num_requests_waiting"): "30x5 0x4 " * 30,
                    of_decode(s, "vllm:num_requests_waiting"): flat(0),
                },
            ),
        ),
    )


def overloaded(s: Signals) -> Alert:
    """What neither of the two above says: both sides queue."""
    return Alert(
        name="DpdEndpointOverloaded",
        expr=f"{queue_stays(s, r.PREFILL_WAITING)}\nand {queue_stays(s, r.DECODE_WAITING)}",
        hold="10m",
        severity="warning",
        summary="Both roles have standing queues: the endpoint gets more than it can serve",
        meaning="For a quarter of an hour requests have waited in front of prefill and in front of "
        "decode. Add both, or "
        "limit what is let in.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c "
        "@{router_container} --since=15m | grep -c 'Conditional routing'",
        cases=(
            Case(name="both queue", fires=True, at="20m", series=_queues(s, prefill=6, decode=6)),
            Case(name="one queues", fires=False, at="60m", series=_queues(s, prefill=0, decode=6)),
            Case(
                name="fourteen minutes of it",
                fires=False,
                at="19m30s",
                series={
                    of_prefill(s, "vllm:num_requests_waiting"): "0x10 6x290",
                    of_decode(s, "vllm:num_requests_waiting"): "0x10 6x290",
                },
            ),
        ),
    )


def preempting(s: Signals) -> Alert:
    """A share of the requests, and more than a few: bursts may preempt once."""
    share, least = limit("preempted_share"), limit("preemptions")
    preemptions = f"sum(increase({select('vllm:num_preemptions_total', s.decode)}[15m]))"
    finished = f"sum(increase({select('vllm:request_success_total', s.decode)}[15m]))"
    count, done = (
        of_decode(s, "vllm:num_preemptions_total"),
        of_decode(s, "vllm:request_success_total", finished_reason="stop"),
    )
    return Alert(
        name="DpdDecoderPreempts",
        expr=f"{preemptions} > {number(least)} and {preemptions} > {number(share)} * {finished}",
        hold="10m",
        severity="warning",
        summary="The decoder runs out of KV cache and preempts running requests",
        meaning="A preempted request is computed again, its prompt included, on the decoder. The KV cache is "
        "too small for max-num-seqs at these lengths.",
        first_command="kubectl -n @{namespace} logs deployment/@{decode_deployment} -c @{decode_deployment} "
        "--since=5m | grep -o 'KV cache usage: [0-9.]*%' | tail -3",
        cases=(
            Case(
                name="every fifth request", fires=True, at="30m", series={count: steady(3), done: steady(15)}
            ),
            Case(name="one in twenty", fires=False, at="60m", series={count: steady(0.75), done: steady(15)}),
            Case(name="three in all", fires=False, at="20m", series={count: "0x10 3x290", done: flat(4)}),
        ),
    )


def load_skew(s: Signals) -> Alert | Left:
    """Only where several decoders do enough to be compared."""
    name = "DpdDecoderLoadSkew"
    if s.decode_replicas < 2:
        return Left(alert=name, reason="there is one decoder")
    skew, loaded = number(limit("load_skew")), number(limit("loaded_decoder"))
    running = f"avg by (pod_name) (avg_over_time({select('vllm:num_requests_running', s.decode)}[15m]))"
    tokens = f"sum by (pod_name) (rate({select('vllm:generation_tokens_total', s.decode)}[15m]))"

    def loads(first: float, second: float, requests: float) -> dict[str, str]:
        found = {}
        for pod, rate in enumerate((first, second)):
            found[of_decode(s, "vllm:generation_tokens_total", pod=pod)] = steady(rate)
            found[of_decode(s, "vllm:num_requests_running", pod=pod)] = flat(requests)
        return found

    return Alert(
        name=name,
        expr=f"max({tokens}) > {skew} * avg({tokens}) and avg({running}) > {loaded}",
        hold="15m",
        severity="warning",
        summary="One decoder carries most of the load",
        meaning="All traffic ends at the decoders, and AWS has validated one. With sessions or prefixes "
        "bound to pods a few busy ones can fill one decoder while the other idles.",
        first_command="kubectl -n @{operator_namespace} logs deployment/@{router_deployment} -c "
        "@{router_container} --since=15m"
        " | grep -o 'to decoder http://[0-9.:]*' | sort | uniq -c",
        cases=(
            Case(name="nine to one", fires=True, at="40m", series=loads(9000, 1000, 8)),
            Case(name="three to one", fires=False, at="60m", series=loads(7500, 2500, 8)),
            Case(name="nine to one of next to nothing", fires=False, at="60m", series=loads(90, 10, 1)),
        ),
    )


def _queues(s: Signals, *, prefill: float, decode: float) -> dict[str, str]:
    return {
        of_prefill(s, "vllm:num_requests_waiting"): flat(prefill),
        of_decode(s, "vllm:num_requests_waiting"): flat(decode),
    }
