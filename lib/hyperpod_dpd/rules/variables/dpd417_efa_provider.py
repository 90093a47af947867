from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.rules.variables.switches import literals

PROVIDER = "FI_PROVIDER"
RDMA = "FI_EFA_USE_DEVICE_RDMA"
_OFF = frozenset({"0", "false", "no", "off"})


@rule(
    ("DPD417", "efa-provider", ERROR, DISAGGREGATED),
    title="Variables keep libfabric from EFA or from RDMA",
    what="That FI_PROVIDER, where set, is efa, and that FI_EFA_USE_DEVICE_RDMA does not switch RDMA off.",
    why="""With another libfabric provider, or without device RDMA, pages go through host memory or TCP:
    transfers take many times longer and no request fails.""",
    fine="Never on EFA nodes.",
    fix="remove FI_PROVIDER and FI_EFA_USE_DEVICE_RDMA, or set them to efa and 1",
    sources="AWS deep-learning-containers repository, EFA test of the HyperPod image",
    covers=("R75",),
    tags=("efa", "silent"),
    before="spec: {worker: {environmentVariables: [{name: FI_PROVIDER, value: tcp}]}}",
    after="spec: {worker: {environmentVariables: [{name: FI_PROVIDER, value: efa}]}}",
)
def check(endpoint: EndpointView) -> Matches:
    for variable, value in literals(endpoint, (PROVIDER, RDMA)):
        text = value.strip().lower()
        if variable.name == PROVIDER and text not in ("efa", ""):
            yield Match(
                variable.value_path,
                f"{PROVIDER} is '{value}'; EFA is used only with efa",
                fix=f"remove {PROVIDER}, or set it to efa",
            )
        elif variable.name == RDMA and text in _OFF:
            yield Match(
                variable.value_path,
                f"{RDMA} is '{value}', which switches GPU-direct transfers off",
                fix=f'remove {RDMA}, or set it to "1"',
            )
