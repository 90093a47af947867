from dataclasses import replace

from hyperpod_dpd.catalog.lmcache_settings import EMPTIES
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Matches, rule
from hyperpod_dpd.rules.variables.settings import as_of, effects


@rule(
    ("DPD427", "setting-empties-transfer", ERROR, DISAGGREGATED),
    title="An LMCache setting empties the transfer",
    what="""Every variable that LMCache reads, with the value as LMCache reads it, against what it does in PD
    mode: settings with which pages are not sent, not looked up or not fetched. Of another release than the
    one that was read, they are warnings.""",
    why="""Every request is answered, and every prompt is computed twice. Pages that landed and are not
    fetched stay in the decoder's buffer until it is full; prefillers then block for ever with /health at 200.
    So a setting that looks harmless is slow first and an outage later.""",
    fine="Never on a disaggregated endpoint.",
    fix="remove the variable",
    sources="""LMCache 0.4.3, configuration, lookup clients, storage backends and vLLM connector, read as a
    whole | recorded: vLLM 0.19.0 with LMCache 0.4.3, pages that are never found fill the buffer""",
    tags=("kv-transfer", "silent"),
    before='spec: {worker: {environmentVariables: [{name: LMCACHE_MIN_RETRIEVE_TOKENS, value: "2048"}]}}',
    after='spec: {worker: {environmentVariables: [{name: LMCACHE_MIN_RETRIEVE_TOKENS, value: "0"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    severity, suffix = as_of(endpoint)
    for effect in effects(endpoint, EMPTIES):
        yield replace(effect, because=effect.because + suffix).match(severity)
