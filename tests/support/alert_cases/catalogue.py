"""The cases of each alert, by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from hyperpod_dpd.observability.signals import Signals
from tests.support.alert_cases import (
    answering,
    availability,
    buffer,
    capacity,
    landing,
    load,
    objectives,
    partly_missing,
    routing,
    skew,
    watching,
    wire,
)
from tests.support.alert_cases.case import Case

Cases = Callable[[Signals], tuple[Case, ...]]


def _of_role(cases: Callable[..., tuple[Case, ...]], role: Literal["prefill", "decode"]) -> Cases:
    return lambda s: cases(s, role)


def _of_buffer(cases: Callable[[Signals, int], tuple[Case, ...]]) -> Cases:
    return lambda s: cases(s, s.buffer_bytes or 0)


def _of_objective(name: str, cases: Callable[..., tuple[Case, ...]], *more: str) -> Cases:
    return lambda s: cases(s, next(item for item in s.objectives if item.name == name), *more)


CASES: Mapping[str, Cases] = {
    "DpdKvNotLanding": landing.not_landing,
    "DpdKvRetrieveIncomplete": landing.retrieve_incomplete,
    "DpdKvStalled": landing.stalled,
    "DpdDecoderRecomputesLongPrompts": partly_missing.recomputed,
    "DpdStaleDecoderAfterPrefillerRestart": partly_missing.stale_after_restart,
    "DpdKvWireSlow": wire.slow,
    "DpdEfaSilent": wire.efa_silent,
    "DpdEfaMetricsAbsent": wire.efa_absent,
    "DpdBufferNearFull": _of_buffer(buffer.near_full),
    "DpdBufferExhausted": _of_buffer(buffer.exhausted),
    "DpdBufferLeak": _of_buffer(buffer.leak),
    "DpdKeysNeverFound": _of_buffer(buffer.never_found),
    "DpdNoReadyRouter": answering.no_ready_router,
    "DpdDecoderHangs": answering.decoder_hangs,
    "DpdTrafficStopped": answering.traffic_stopped,
    "DpdCanaryFails": answering.canary_fails,
    "DpdCanaryWrong": answering.canary_wrong,
    "DpdCanaryAbsent": answering.canary_absent,
    "DpdPrefillersMissed": capacity.prefillers_missed,
    "DpdCapacityBelowDeclared": capacity.below_declared,
    "DpdCollectorAbsent": capacity.collector_absent,
    "DpdAnsweredBudgetBurnFast": _of_objective("Answered", objectives.failing, "critical"),
    "DpdAnsweredBudgetBurnSlow": _of_objective("Answered", objectives.failing, "warning"),
    "DpdDecoderSaturated": load.decoder_saturated,
    "DpdPrefillShort": load.prefill_short,
    "DpdEndpointOverloaded": load.overloaded,
    "DpdDecoderPreempts": load.preempting,
    "DpdDecoderLoadSkew": load.load_skew,
    "DpdThresholdMisfit": routing.threshold_misfit,
    "DpdRouterFallback": routing.fallback,
    "DpdRouterBlind": routing.blind,
    "DpdImageSkew": skew.image,
    "DpdHashSeedSkew": skew.hash_seed,
    "DpdRoleSkew": skew.role,
    "DpdKvDtypeSkew": skew.kv_dtype,
    "DpdNoReadyDecoder": _of_role(availability.no_ready, "decode"),
    "DpdNoReadyPrefiller": _of_role(availability.no_ready, "prefill"),
    "DpdDecoderRestartLoop": _of_role(availability.restart_loop, "decode"),
    "DpdPrefillerRestartLoop": _of_role(availability.restart_loop, "prefill"),
    "DpdLmcacheDegraded": availability.lmcache_degraded,
    "DpdEngineUnseen": watching.engine_unseen,
    "DpdLogExporterAbsent": watching.log_exporter_absent,
    **{
        f"Dpd{name}{part}": _of_objective(name, *cases)
        for name in ("InterToken", "FirstToken")
        for part, *cases in (
            ("BudgetBurnFast", objectives.burn, "critical"),
            ("BudgetBurnSlow", objectives.burn, "warning"),
            ("ObjectiveUnmeasured", objectives.unmeasured),
        )
    },
}
