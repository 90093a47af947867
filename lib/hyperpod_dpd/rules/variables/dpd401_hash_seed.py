from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule

NAME = "PYTHONHASHSEED"


@rule(
    ("DPD401", "hash-seed", ERROR, DISAGGREGATED),
    title='PYTHONHASHSEED is missing or not "0"',
    what="""That PYTHONHASHSEED is set, as text, to "0" for both roles, which share their environment
    variables.""",
    why="""LMCache keys KV pages by Python's hash of the tokens, and Python seeds that hash at random for each
    process. Without one seed on both sides no key matches: the decoder finds nothing and computes every prompt
    again. That is slow first and an outage later: pages that landed and are never found stay in the decoder's
    buffer, and once it is full prefillers block for ever, with /health at 200, for other decoders too. The log
    line that AWS says to look for ("Retrieved 0 out of") is not even written in that case.""",
    fine="""Any equal number would work for LMCache; AWS asks for "0" on disaggregated endpoints, and so do
    we. Colocated endpoints are not judged.""",
    fix='set the environment variable PYTHONHASHSEED to "0", in quotes',
    sources="""SageMaker developer guide, DPD page, environment variables | LMCache 0.4.3, token database |
    recorded: vLLM 0.19.0 with LMCache 0.4.3 over UCX, seeds 0 and 1""",
    covers=("R60", "R61", "B-07"),
    tags=("kv-transfer", "silent"),
    before='spec: {worker: {environmentVariables: [{name: PYTHONHASHSEED, value: "42"}]}}',
    after='spec: {worker: {environmentVariables: [{name: PYTHONHASHSEED, value: "0"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    wanted = engine_defaults.documented().python_hash_seed
    variable = endpoint.environment.get(NAME)
    if variable is None:
        yield Match(
            endpoint.where_variable(NAME), f"{NAME} is not set: each process seeds its hash at random"
        )
    elif variable.value is None:
        yield Match(
            variable.value_path, f"{NAME} comes from a {variable.source}, so its value cannot be judged"
        )
    elif variable.value != wanted:
        yield Match(variable.value_path, f"{NAME} is '{variable.value}', AWS requires '{wanted}'")
