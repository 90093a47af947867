import re

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule

NAME = "LMCACHE_NIXL_BACKENDS"
_WORD = re.compile(r"[A-Za-z_]+")
_STEERS_UCX = "UCX_"


@rule(
    ("DPD416", "transfer-backend", ERROR, DISAGGREGATED),
    title="KV transfers would not use EFA's own transport",
    what="""That LMCACHE_NIXL_BACKENDS, where set, names LIBFABRIC and nothing else that would be taken
    instead; and that UCX_* variables are absent (a warning).""",
    why="""NIXL's other backend, UCX, falls back to TCP on EFA nodes and moves about 0.3 GB/s, without a
    warning. LMCache takes UCX unless told otherwise, so the operator must set the backend; a value of yours
    replaces it.""",
    fine="UCX_* variables do no harm where UCX is not used.",
    fix="remove LMCACHE_NIXL_BACKENDS, or set it to LIBFABRIC",
    sources="""LMCache 0.4.3, NIXL channel, default backends | Ray pull request 62339 and NIXL issue 1021,
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
        named = {word.upper() for word in _WORD.findall(variable.value)}
        if fallback in named or wanted not in named:
            yield Match(
                variable.value_path,
                f"{NAME} is '{variable.value}'; over EFA only {wanted} transfers at its rate",
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
