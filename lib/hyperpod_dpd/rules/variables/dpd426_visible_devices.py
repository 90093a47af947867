from hyperpod_dpd.rules.rule import ENDPOINT, WARNING, EndpointView, Match, Matches, rule

_NAMES = ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES")


@rule(
    ("DPD426", "visible-devices", WARNING, ENDPOINT),
    title="A variable hides GPUs from the engine",
    what="That neither CUDA_VISIBLE_DEVICES nor NVIDIA_VISIBLE_DEVICES is set.",
    why="""The device plugin gives a pod its GPUs and tells the container which. A list of your own may name
    GPUs that this pod does not have, or leave some idle; then ranks fail at start.""",
    fine="Where the list names every GPU of the pod, as some images want.",
    fix="remove the variable; the pod sees the GPUs it asks for",
    sources="""Kubernetes documentation, device plugins: the plugin hands devices to a container | NVIDIA
    device plugin for Kubernetes, NVIDIA_VISIBLE_DEVICES""",
    tags=("variables", "gpu-memory"),
    before='spec: {worker: {environmentVariables: [{name: CUDA_VISIBLE_DEVICES, value: "0,1"}]}}',
    after="spec: {worker: {environmentVariables: [{name: CUDA_DEVICE_ORDER, value: PCI_BUS_ID}]}}",
)
def check(endpoint: EndpointView) -> Matches:
    for name in _NAMES:
        variable = endpoint.environment.get(name)
        if variable is not None:
            shown = f"is '{variable.value}'" if variable.value is not None else "is set"
            yield Match(
                variable.value_path, f"{name} {shown}; the device plugin decides which GPUs a pod sees"
            )
