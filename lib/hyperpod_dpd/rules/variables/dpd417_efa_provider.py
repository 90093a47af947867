"""
What it checks
--------------
That FI_PROVIDER, where set, is efa, and that FI_EFA_USE_DEVICE_RDMA does not switch RDMA off.

Why it matters
--------------
With another libfabric provider, or without device RDMA, pages go through host memory or TCP: transfers take
many times longer and no request fails.

When this is fine
-----------------
Never on EFA nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.rules.variables.switches import literals

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD417",
    name="efa-provider",
    severity=Severity.ERROR,
    title="Variables keep libfabric from EFA or from RDMA",
    fix="remove FI_PROVIDER and FI_EFA_USE_DEVICE_RDMA, or set them to efa and 1",
    sources=("AWS deep-learning-containers repository, EFA test of the HyperPod image",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R75",),
    tags=("efa", "silent"),
    example=Example(
        before="spec: {worker: {environmentVariables: [{name: FI_PROVIDER, value: tcp}]}}",
        after="spec: {worker: {environmentVariables: [{name: FI_PROVIDER, value: efa}]}}",
    ),
)

PROVIDER = "FI_PROVIDER"
RDMA = "FI_EFA_USE_DEVICE_RDMA"
_OFF = frozenset({"0", "false", "no", "off"})


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for variable, value in literals(endpoint, (PROVIDER, RDMA)):
        text = value.strip().lower()
        if variable.name == PROVIDER and text not in ("efa", ""):
            yield Hit(
                variable.value_path,
                f"{PROVIDER} is '{value}'; EFA is used only with efa",
                fix=f"remove {PROVIDER}, or set it to efa",
            )
        elif variable.name == RDMA and text in _OFF:
            yield Hit(
                variable.value_path,
                f"{RDMA} is '{value}', which switches GPU-direct transfers off",
                fix=f'remove {RDMA}, or set it to "1"',
            )
