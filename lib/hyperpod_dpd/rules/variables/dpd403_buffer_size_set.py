from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.buffer import BUFFER_SIZE


@rule(
    ("DPD403", "buffer-size-set", WARNING, DISAGGREGATED),
    title="PD_BUFFER_SIZE is not set",
    what="That PD_BUFFER_SIZE is set, as a literal, on a disaggregated endpoint.",
    why="""The buffer decides the longest prompt that can be transferred, how many transfers fit at once, and
    how much GPU memory vLLM must leave free. Without the variable the operator's default counts, which an
    upgrade may change.""",
    fine="Where the documented default is what you want today.",
    fix="set the environment variable PD_BUFFER_SIZE to a number of bytes, in quotes",
    sources="SageMaker developer guide, DPD page, environment variables",
    covers=("R62",),
    tags=("kv-transfer", "sizing"),
    before="spec: {worker: {environmentVariables: [{name: -PD_BUFFER_SIZE}]}}",
    after='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8589934592"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    variable = endpoint.environment.get(BUFFER_SIZE)
    default = engine_defaults.documented().pd_buffer_bytes
    if variable is None:
        yield Match(
            endpoint.where_variable(BUFFER_SIZE),
            f"{BUFFER_SIZE} is not set; the documented default is {default:,} bytes",
            fix=f'set the environment variable {BUFFER_SIZE}, for the default to "{default}"',
        )
    elif variable.value is None:
        yield Match(
            variable.value_path,
            f"{BUFFER_SIZE} comes from a {variable.source}, so no rule can judge its size",
        )
