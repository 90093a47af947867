from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.iec.quantities import QuantityError, to_bytes
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder
from hyperpod_dpd.view.buffer import BUFFER_SIZE, whole_number


@rule(
    ("DPD404", "buffer-size-format", ERROR, DISAGGREGATED),
    title="PD_BUFFER_SIZE is not a plain number of bytes",
    what="""That PD_BUFFER_SIZE is a plain number of bytes: decimal digits, above zero, without unit, sign or
    exponent.""",
    why="""The value becomes an integer by Python's own conversion. "8Gi" or "8e9" raises an error there,
    LMCache starts in degraded mode, and the pod still becomes ready; with LMCache 0.4.3 the next request then
    meets an assertion that ends the engine (recorded with another failed start).""",
    fine="Never.",
    fix="write the number of bytes in decimal digits, in quotes",
    sources="LMCache 0.4.3, conversion of environment variables",
    covers=("R63",),
    tags=("kv-transfer", "silent"),
    before="spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: 8Gi}]}}",
    after='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8589934592"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    variable = endpoint.environment.get(BUFFER_SIZE)
    if variable is None or variable.value is None or is_placeholder(variable.value):
        return
    if not whole_number(variable.value):
        yield Match(
            variable.value_path,
            f"{BUFFER_SIZE} is '{variable.value}', which is not a number of bytes in decimal digits",
            fix=f'write "{_meant(variable.value)}"',
        )


def _meant(text: str) -> int:
    """What the user meant, as far as it can be told; else the documented default."""
    try:
        size = to_bytes(text.strip().replace(" ", "").replace("_", "").replace(",", "").removesuffix("B"))
    except QuantityError:
        size = 0
    return size or engine_defaults.documented().pd_buffer_bytes
