from hyperpod_dpd.catalog.lmcache_settings import UNCONFIRMED
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Matches, rule
from hyperpod_dpd.rules.variables.settings import effects


@rule(
    ("DPD429", "setting-unconfirmed", WARNING, DISAGGREGATED),
    title="An LMCache setting that is not known to be harmless in PD mode",
    what="""That every LMCACHE_ variable of a disaggregated endpoint is one that the release reads and that is
    known to leave the transfer alone. Unknown names, values that cannot be read, values out of a Secret where
    the value matters, and settings of which nobody says that they work with PD are named.""",
    why="""LMCache reads about ninety variables, most written for caches that are not disaggregated. One that
    turns a page away is silent: requests succeed, only slower, and the buffer fills. A misspelled name is
    silent as well.""",
    fine="After a test in which pages are found on the decoder, acknowledged.",
    fix="remove the variable, or test that pages are found with it and acknowledge",
    sources="LMCache 0.4.3, configuration, read as a whole",
    tags=("kv-transfer", "silent"),
    before="spec: {worker: {environmentVariables: [{name: LMCACHE_CHUNKSIZE, value: '256'}]}}",
    after="spec: {worker: {environmentVariables: [{name: LMCACHE_CHUNK_SIZE, value: '256'}]}}",
)
def check(endpoint: EndpointView) -> Matches:
    for effect in effects(endpoint, UNCONFIRMED):
        yield effect.match()
