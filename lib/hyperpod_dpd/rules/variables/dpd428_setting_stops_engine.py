from dataclasses import replace

from hyperpod_dpd.catalog.lmcache_settings import STOPS
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Matches, rule
from hyperpod_dpd.rules.variables.settings import as_of, effects


@rule(
    ("DPD428", "setting-stops-engine", ERROR, DISAGGREGATED),
    title="An LMCache setting with which the cache does not start",
    what="""Every variable that LMCache reads, with the value as LMCache reads it: settings and values that
    its start refuses in PD mode, and numbers that are none where it needs one. Of another release than the
    one that was read, they are warnings.""",
    why="""LMCache says "degraded mode" and lets the engine start without a cache. The pod becomes ready, and
    with LMCache 0.4.3 the next request meets an assertion that ends the engine. Some settings end the start
    itself.""",
    fine="Never on a disaggregated endpoint.",
    fix="remove the variable",
    sources="""LMCache 0.4.3, configuration, manager, storage backends and vLLM connector, read as a whole |
    recorded: vLLM 0.19.0 with LMCache 0.4.3, start with a backend that cannot load""",
    tags=("kv-transfer",),
    before="spec: {worker: {environmentVariables: [{name: LMCACHE_TRANSFER_CHANNEL, value: sockets}]}}",
    after="spec: {worker: {environmentVariables: [{name: LMCACHE_TRANSFER_CHANNEL, value: nixl}]}}",
)
def check(endpoint: EndpointView) -> Matches:
    severity, suffix = as_of(endpoint)
    for effect in effects(endpoint, STOPS):
        yield replace(effect, because=effect.because + suffix).match(severity)
