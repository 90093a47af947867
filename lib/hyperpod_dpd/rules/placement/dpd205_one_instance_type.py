"""
What it checks
--------------
That prefill and decode are bound to one and the same instance type: instanceTypes lists no second one, and the
instance groups or labels that the roles select do not differ in type. Types with the same number of GPUs and EFA
interfaces are a warning.

Why it matters
--------------
Types differ in GPU memory and in EFA interfaces for each GPU. The arguments, the buffer and the memory share
are one setting for both roles, so what fits one node may not start on the other, and the slower interface sets
the pace of every transfer.

When this is fine
-----------------
Where both types were measured together; the sizes then have to suit the smaller one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD205",
    name="one-instance-type",
    severity=Severity.ERROR,
    title="The two roles may land on different instance types",
    fix="name one instance type, and let both roles select instance groups of it",
    sources=(
        "SageMaker developer guide, DPD page, complete example (one type for both roles)",
        "InferenceEndpointConfig CRD, operator 3.2, instanceTypes as an ordered preference",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R25",),
    waivable=True,
    tags=(
        "placement",
        "instances",
    ),
    example=Example(
        before="spec: {instanceType: null, instanceTypes: [ml.p5.48xlarge, ml.p5en.48xlarge]}",
        after="spec: {instanceType: null, instanceTypes: [ml.p5.48xlarge]}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    listed = endpoint.get("instanceTypes")
    if isinstance(listed, list) and len(set(map(str, listed))) > 1:
        kinds = ", ".join(map(str, listed))
        yield Hit(
            ("spec", "instanceTypes"),
            f"the roles may land on any of {kinds}, each on another one",
            Severity.WARNING if _alike(listed) else None,
        )
        return
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None:
        return
    first, second = endpoint.instance_type_names(prefill), endpoint.instance_type_names(decode)
    types = {name for name, _ in first}, {name for name, _ in second}
    if first and second and types[0] != types[1]:
        yield Hit(
            second[0][1],
            f"decode runs on {', '.join(sorted(types[1]))}, prefill on {', '.join(sorted(types[0]))}",
        )
    elif len(types[0]) > 1:
        kinds = ", ".join(dict.fromkeys(name for name, _ in first))
        yield Hit(first[0][1][:-1], f"the roles may land on any of {kinds}, each on another one")


def _alike(listed: list[Any]) -> bool:
    """Whether pods of the same size fit every type: the same numbers of GPUs and EFA interfaces."""
    known = [instance_types.get(name) if isinstance(name, str) else None for name in listed]
    return None not in known and len({(k.gpus, k.efa_interfaces) for k in known if k}) == 1
