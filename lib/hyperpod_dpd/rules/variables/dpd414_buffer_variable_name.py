from hyperpod_dpd.rules.rule import DISAGGREGATED, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.buffer import BUFFER_SIZE

_OTHER_NAMES = ("LMCACHE_PD_BUFFER_SIZE", "LMCACHE_NIXL_BUFFER_SIZE", "NIXL_BUFFER_SIZE")


@rule(
    ("DPD414", "buffer-variable-name", WARNING, DISAGGREGATED),
    title="The PD buffer is sized by another variable than the operator documents",
    what="""That the buffer is sized by PD_BUFFER_SIZE, the name the operator documents, and not by LMCache's
    own names for it.""",
    why="""Only the operator reads PD_BUFFER_SIZE; what it does when LMCache's own variable is there too is
    not confirmed. With two different values nobody knows how large the buffer is, and no rule here judges the
    right one.""",
    fine="Where both names carry the same number.",
    fix="set PD_BUFFER_SIZE instead",
    sources="""SageMaker developer guide, DPD page, environment variables | LMCache 0.4.3, names and aliases
    of the configuration""",
    covers=("R72",),
    tags=("kv-transfer", "sizing"),
    before='spec: {worker: {environmentVariables: [{name: LMCACHE_PD_BUFFER_SIZE, value: "17179869184"}]}}',
    after='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "17175674880"}]}}',
)
def check(endpoint: EndpointView) -> Matches:
    documented = endpoint.environment.value(BUFFER_SIZE)
    for name in _OTHER_NAMES:
        variable = endpoint.environment.get(name)
        if variable is None or (documented is not None and variable.value == documented):
            continue
        beside = f", {BUFFER_SIZE} is '{documented}'" if documented is not None else ""
        yield Match(
            variable.value_path,
            f"{name} is '{variable.value}'{beside}; the operator documents {BUFFER_SIZE} only",
            fix=f"remove {name} and set {BUFFER_SIZE}",
        )
