"""Cases of the alerts on KV cache that does not arrive."""

from __future__ import annotations

from hyperpod_dpd.observability.scenarios.series import of_decode, of_prefill, of_router
from hyperpod_dpd.observability.signals import COMPUTED_TOKENS, Signals
from tests.support.alert_cases.case import Case, flat, steady
from tests.support.alert_cases.traffic import ARRIVALS, prompts, traffic


def not_landing(s: Signals) -> tuple[Case, ...]:
    broken = traffic(s, landed_tokens=0, computed_long=ARRIVALS)
    return (
        Case(name="nothing lands, the decoder computes all", fires=True, at="20m", series=broken),
        Case(
            name="just above half of the threshold lands",
            fires=False,
            at="60m",
            series=traffic(s, landed_tokens=int(s.threshold_tokens * 0.5) + 8, computed_long=ARRIVALS),
        ),
        Case(
            name="the decoder had most of it in its own prefix cache",
            fires=False,
            at="60m",
            series=traffic(s, landed_tokens=100, computed_long=0),
        ),
        Case(
            name="it had, and computes as many local prompts just below the threshold",
            fires=False,
            at="60m",
            series={
                **traffic(s, landed_tokens=100, computed_long=0),
                of_decode(s, f"{COMPUTED_TOKENS}_bucket", le=s.bound_below(s.threshold_tokens) or ""): steady(
                    ARRIVALS
                ),
                **prompts(s, below=2 * ARRIVALS, above=ARRIVALS),
            },
        ),
        Case(
            name="prefillers compute nothing either: they hang",
            fires=False,
            at="60m",
            series={**broken, of_prefill(s, "vllm:prompt_tokens_total"): flat(90_000)},
        ),
        Case(name="not held long enough", fires=False, at="4m30s", series=broken),
    )


def retrieve_incomplete(s: Signals) -> tuple[Case, ...]:
    requested = of_decode(s, "lmcache:num_requested_tokens_total", worker_id="0")
    hit = of_decode(s, "lmcache:num_hit_tokens_total", worker_id="0")
    return (
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
        Case(name="no traffic", fires=False, at="60m", series={requested: flat(90_000), hit: flat(81_000)}),
    )


def stalled(s: Signals) -> tuple[Case, ...]:
    hung = {
        of_router(s, "dpd_routing_inflight_prefill"): flat(3),
        of_decode(s, "vllm:prompt_tokens_by_source_total", source="external_kv_transfer"): flat(60_000),
        of_prefill(s, "vllm:request_success_total", finished_reason="length"): flat(10),
    }
    return (
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
    )
