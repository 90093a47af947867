"""
What it checks
--------------
That a role asks for its GPUs' share of the node's EFA interfaces.

Why it matters
--------------
Each GPU reaches the network through interfaces of its own. With fewer, some ranks share a rail and the
slowest rank decides when a transfer is done; with more, another pod on the node gets none.

When this is fine
-----------------
Where a measurement shows the transfer rate is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD707",
    name="efa-interfaces-per-gpu",
    severity=Severity.WARNING,
    title="A role's EFA interfaces do not match its GPUs",
    fix="ask for the GPUs' share of the node's EFA interfaces",
    sources=("EC2 instance data, EFA interfaces and GPUs per type",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R145",),
    tags=("resources", "efa"),
    example=Example(
        before="""
spec:
  pdSpec:
    prefillSpec:
      resources: {requests: {vpc.amazonaws.com/efa: "4"}, limits: {vpc.amazonaws.com/efa: "4"}}
""",
        after="""
spec:
  pdSpec:
    prefillSpec:
      resources: {requests: {vpc.amazonaws.com/efa: "32"}, limits: {vpc.amazonaws.com/efa: "32"}}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    name = names.EFA_RESOURCE
    for role in endpoint.roles:
        asked, gpus = role.amount(name), role.gpus
        instance = endpoint.instance_type(role)
        if asked is None or not gpus or instance is None or not instance.gpus or not instance.efa_interfaces:
            continue
        share = instance.efa_interfaces * gpus // instance.gpus
        if asked != share and asked <= instance.efa_interfaces:
            yield Hit(
                (*role.path, "resources"),
                f"{role.role} asks for {asked} {name} with {gpus} GPUs; on {instance.name} their share is {share}",
                fix=f'set {name} to "{share}" in requests and limits',
            )
