from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.iec.lmcache_values import words
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import is_placeholder

NAME = "LMCACHE_NIXL_BACKENDS"
_STEERS_UCX = "UCX_"


@rule(
    ("DPD416", "transfer-backend", ERROR, DISAGGREGATED),
    title="KV transfers would not use EFA's own transport",
    what="""That LMCACHE_NIXL_BACKENDS, where set, names LIBFABRIC and nothing else that would be taken
    instead, as LMCache reads it: split at commas, never as JSON; and that UCX_* variables are absent (a
    warning).""",
    why="""NIXL's other backend, UCX, falls back to TCP on EFA nodes and moves about 0.3 GB/s, without a
    warning. LMCache takes UCX unless told otherwise, so the operator must set the backend; a value of yours
    replaces it. A name that is no plugin, a JSON list among them, loads none: LMCache goes on in degraded
    mode, nothing is transferred, and with 0.4.3 the next request ends the engine (recorded with UCX).""",
    fine="UCX_* variables do no harm where UCX is not used.",
    fix="remove LMCACHE_NIXL_BACKENDS, or set it to LIBFABRIC",
    sources="""LMCache 0.4.3, NIXL channel, default backends; list of the configuration | recorded: vLLM
    0.19.0 with LMCache 0.4.3 and a JSON list over UCX | Ray pull request 62339 and NIXL issue 1021,
    measured fallback""",
    covers=("R74",),
    tags=("kv-transfer", "efa", "silent"),
    before="spec: {worker: {environmentVariables: [{name: LMCACHE_NIXL_BACKENDS, value: UCX}]}}",
    after="spec: {worker: {environmentVariables: [{name: LMCACHE_NIXL_BACKENDS, value: LIBFABRIC}]}}",
)
def check(endpoint: EndpointView) -> Matches:
    wanted, fallback = engine_defaults.lmcache().required_nixl_backend, engine_defaults.lmcache().nixl_backend
    variable = endpoint.environment.get(NAME)
    if variable is not None and variable.value is not None:
        named = words(variable.value)
        if (fallback in named or wanted not in named) and not is_placeholder(variable.value):
            meant = fallback not in named and any(wanted in name.upper() for name in named)
            result = (
                "split at commas, which is all that LMCache does, it names no plugin that exists"
                if meant
                else f"over EFA only {wanted} transfers at its rate"
            )
            yield Match(
                variable.value_path,
                f"{NAME} is '{variable.value}'; {result}",
                fix=f"remove {NAME}, or set it to {wanted}",
            )
    for name, entry in endpoint.environment.items():
        if name.startswith(_STEERS_UCX):
            yield Match(
                entry.path,
                f"{name} steers {fallback}, which transfers over EFA should not use",
                WARNING,
                f"remove {name}",
            )
