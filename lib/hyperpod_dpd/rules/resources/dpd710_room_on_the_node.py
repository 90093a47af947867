"""
What it checks
--------------
That a role's CPU and memory leave room on a node of its type for the system and for the pod's own sidecars:
more than the node has is an error, less than the margin a warning.

Why it matters
--------------
A node offers its pods less than it has. A pod that fits on paper stays Pending, and each worker pod brings a
proxy and a metrics collector that ask for resources too.

When this is fine
-----------------
Where the nodes' allocatable amounts were looked at (the warning).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.iec.quantities import QuantityError, to_bytes, to_millicores
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.memory import bytes_of_gib

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView, RoleView

RULE = Rule(
    id="DPD710",
    name="room-on-the-node",
    severity=Severity.WARNING,
    title="A role asks for nearly all, or more, of a node",
    fix="lower the role's cpu or memory",
    sources=("EC2 instance data, vCPU and memory per type", "our own judgement of the margin"),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R148",),
    tags=("resources",),
    example=Example(
        before="spec: {pdSpec: {prefillSpec: {resources: {requests: {cpu: '192'}}}}}",
        after="spec: {pdSpec: {prefillSpec: {resources: {requests: {cpu: '160'}}}}}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    kept = engine_defaults.memory().node_share_kept_free
    for role in endpoint.roles:
        instance = endpoint.instance_type(role)
        if instance is None:
            continue
        for name, has, unit in (
            ("cpu", instance.vcpus * 1000, 1000),
            ("memory", bytes_of_gib(instance.memory_gib), 2**30),
        ):
            asked = _asked(role, name)
            if asked is None or asked <= has * (1 - kept):
                continue
            most = int(has * (1 - kept)) // unit
            suffix = "Gi" if name == "memory" else ""
            yield Hit(
                (*role.path, "resources"),
                f"{role.role} asks for {asked / unit:g}{suffix} {name}, "
                f"a node of {instance.name} has {has // unit}{suffix} before the system's part",
                Severity.ERROR if asked > has else None,
                f"set the role's {name} to {most}{suffix} or less",
            )


def _asked(role: RoleView, name: str) -> int | None:
    read = to_bytes if name == "memory" else to_millicores
    for kind in ("requests", "limits"):
        value = role.resources.get(kind, {}).get(name)
        if value is not None:
            try:
                return read(value)
            except QuantityError:
                return None
    return None
