from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder, literals
from hyperpod_dpd.view.buffer import CHUNK_SIZE, whole_number


@rule(
    ("DPD418", "chunk-size", WARNING, DISAGGREGATED),
    title="LMCache's chunk is not the default number of tokens",
    what="That LMCACHE_CHUNK_SIZE is LMCache's default, or at least a plain number.",
    why="""A page is one chunk of tokens: another number changes every figure about the buffer, AWS's
    included, and the keys under which pages are found. Our rules count with the number given; AWS's guidance
    does not. Two different sizes on the two sides end the prefiller's engine at the first disaggregated prompt
    (recorded with 256 and 128).""",
    fine="""Where it was chosen on purpose and the same reaches everything that shares the cache (the
    warning).""",
    fix="remove LMCACHE_CHUNK_SIZE",
    sources="LMCache 0.4.3, configuration and cache keys | recorded: vLLM 0.19.0 with LMCache 0.4.3 over UCX",
    covers=("R76",),
    tags=("kv-transfer", "sizing"),
    before='spec: {worker: {environmentVariables: [{name: LMCACHE_CHUNK_SIZE, value: "512"}]}}',
    after='spec: {worker: {environmentVariables: [{name: LMCACHE_CHUNK_SIZE, value: "256"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    default = engine_defaults.lmcache().chunk_tokens
    for variable, value in literals(endpoint, (CHUNK_SIZE,)):
        tokens = whole_number(value.strip())
        if tokens == default or is_placeholder(value):
            continue
        if not tokens:
            yield Match(
                variable.value_path,
                f"{CHUNK_SIZE} is '{value}', which is no number of tokens: LMCache cannot start",
                ERROR,
            )
        else:
            yield Match(
                variable.value_path,
                f"{CHUNK_SIZE} is {tokens}; documented figures for the buffer count with {default}",
            )
