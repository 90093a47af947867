"""
What it checks
--------------
That neither CUDA_VISIBLE_DEVICES nor NVIDIA_VISIBLE_DEVICES is set.

Why it matters
--------------
The device plugin gives a pod its GPUs and tells the container which. A list of your own may name GPUs that this
pod does not have, or leave some idle; then ranks fail at start.

When this is fine
-----------------
Where the list names every GPU of the pod, as some images want.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD426",
    name="visible-devices",
    severity=Severity.WARNING,
    title="A variable hides GPUs from the engine",
    fix="remove the variable; the pod sees the GPUs it asks for",
    sources=(
        "Kubernetes documentation, device plugins: the plugin hands devices to a container",
        "NVIDIA device plugin for Kubernetes, NVIDIA_VISIBLE_DEVICES",
    ),
    applies_to=AppliesTo.ENDPOINT,
    tags=(
        "variables",
        "gpu-memory",
    ),
    example=Example(
        before="""
spec: {worker: {environmentVariables: [{name: CUDA_VISIBLE_DEVICES, value: "0,1"}]}}
""",
        after="""
spec: {worker: {environmentVariables: [{name: CUDA_DEVICE_ORDER, value: PCI_BUS_ID}]}}
""",
    ),
)

_NAMES = ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES")


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for name in _NAMES:
        variable = endpoint.environment.get(name)
        if variable is not None:
            shown = f"is '{variable.value}'" if variable.value is not None else "is set"
            yield Hit(variable.value_path, f"{name} {shown}; the device plugin decides which GPUs a pod sees")
