"""Cases of the alerts on capacity and load."""

from __future__ import annotations

from hyperpod_dpd.catalog.metrics import limit
from hyperpod_dpd.observability.scenarios.series import of_decode, of_prefill
from hyperpod_dpd.observability.signals import INTER_TOKEN, Signals
from tests.support.alert_cases.case import Case, flat, steady


def decoder_saturated(s: Signals) -> tuple[Case, ...]:
    busy = limit("busy_share")
    full = int(s.decode_sequences)
    return (
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
    )


def prefill_short(s: Signals) -> tuple[Case, ...]:
    return (
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
    )


def overloaded(s: Signals) -> tuple[Case, ...]:
    return (
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
    )


def preempting(s: Signals) -> tuple[Case, ...]:
    count, done = (
        of_decode(s, "vllm:num_preemptions_total"),
        of_decode(s, "vllm:request_success_total", finished_reason="stop"),
    )
    return (
        Case(name="every fifth request", fires=True, at="30m", series={count: steady(3), done: steady(15)}),
        Case(name="one in twenty", fires=False, at="60m", series={count: steady(0.75), done: steady(15)}),
        Case(name="three in all", fires=False, at="20m", series={count: "0x10 3x290", done: flat(4)}),
    )


def load_skew(s: Signals) -> tuple[Case, ...]:

    def loads(first: float, second: float, requests: float) -> dict[str, str]:
        found = {}
        for pod, rate in enumerate((first, second)):
            found[of_decode(s, "vllm:generation_tokens_total", pod=pod)] = steady(rate)
            found[of_decode(s, "vllm:num_requests_running", pod=pod)] = flat(requests)
        return found

    return (
        Case(name="nine to one", fires=True, at="40m", series=loads(9000, 1000, 8)),
        Case(name="three to one", fires=False, at="60m", series=loads(7500, 2500, 8)),
        Case(name="nine to one of next to nothing", fires=False, at="60m", series=loads(90, 10, 1)),
    )


def _queues(s: Signals, *, prefill: float, decode: float) -> dict[str, str]:
    return {
        of_prefill(s, "vllm:num_requests_waiting"): flat(prefill),
        of_decode(s, "vllm:num_requests_waiting"): flat(decode),
    }
