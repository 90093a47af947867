"""
What it checks
--------------
That each role of a disaggregated endpoint asks for CPU and memory of its own.

Why it matters
--------------
The pods of a disaggregated endpoint ignore worker.resources. Without CPU and memory in the role, a pod that holds
eight GPUs is of the lowest class of service: it is throttled first and the first to be killed for memory.

When this is fine
-----------------
On nodes that run nothing else. AWS's own complete example leaves them out, so this is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD701",
    name="role-cpu-memory",
    severity=Severity.WARNING,
    title="A role asks for no CPU or memory of its own",
    fix="repeat cpu and memory in the role's resources, requests equal to limits",
    sources=("SageMaker developer guide, DPD page, resources of a role",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R141",),
    tags=("resources", "silent"),
    example=Example(
        before="""
spec:
  pdSpec:
    decodingSpec:
      resources:
        requests: {cpu: null, memory: null}
        limits: {cpu: null, memory: null}
""",
        after="""
spec:
  pdSpec:
    decodingSpec:
      resources:
        requests: {cpu: "96", memory: 1024Gi}
        limits: {cpu: "96", memory: 1024Gi}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for role in endpoint.roles:
        asked = {**role.resources.get("limits", {}), **role.resources.get("requests", {})}
        absent = [name for name in ("cpu", "memory") if asked.get(name) is None]
        if absent:
            yield Hit(
                (*role.path, "resources"),
                f"{role.role} asks for no {' and no '.join(absent)}; what worker.resources says does not count",
            )
