from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_on, literals

NAME = "LMCACHE_USE_LAYERWISE"


@rule(
    ("DPD415", "layerwise", ERROR, DISAGGREGATED),
    title="LMCache's layerwise mode is on",
    what="That LMCACHE_USE_LAYERWISE is off on a disaggregated endpoint.",
    why="""The layer-by-layer store does not pass on where the pages are to go. The PD backend then fails on
    every store and nothing is sent. That transfers overlap layer by layer, as an AWS text puts it, is not
    what this LMCache does.""",
    fine="Never with the supported images.",
    fix="remove LMCACHE_USE_LAYERWISE",
    sources="LMCache 0.4.3, cache engine and PD backend | LMCache pull request 4221",
    covers=("R73",),
    tags=("kv-transfer", "silent"),
    before='spec: {worker: {environmentVariables: [{name: LMCACHE_USE_LAYERWISE, value: "True"}]}}',
    after='spec: {worker: {environmentVariables: [{name: LMCACHE_USE_LAYERWISE, value: "False"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    for variable, value in literals(endpoint, (NAME,)):
        if is_on(value):
            yield Match(
                variable.value_path, f"{NAME} is '{value}': in this mode no page is sent to the decoder"
            )
