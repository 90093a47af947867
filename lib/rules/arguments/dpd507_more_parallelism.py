"""
What it checks
--------------
--enable-expert-parallel, and --data-parallel-size above one, in either role.

Why it matters
--------------
LMCache finds the receiver by the number of the tensor-parallel rank: two data-parallel ranks of one pod want the same
port. Expert parallelism changes the layout of ranks that the key of a page counts. AWS documents neither for DPD.

When this is fine
-----------------
With a test that shows pages being found on your image (Retrieved N out of N), acknowledged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lib.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from lib.document import Path
    from lib.view.endpoint import EndpointView

RULE = Rule(
    id="DPD507",
    name="more-parallelism",
    severity=Severity.ERROR,
    title="Expert or data parallelism with disaggregation",
    fix="remove the flag and use tensor parallelism",
    sources=(
        "SageMaker developer guide, DPD page, which addresses tensor parallelism only",
        "LMCache 0.4.3, PD backend, one port for each tensor-parallel rank",
    ),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R95",),
    waivable=True,
    tags=("arguments",),
    example=Example(
        before="spec: {worker: {args: {--data-parallel-size: 2, --tensor-parallel-size: 4}}}",
        after="spec: {worker: {args: {--data-parallel-size: null, --tensor-parallel-size: 8}}}",
    ),
)

_EXPERTS = "--enable-expert-parallel"
_DATA = "--data-parallel-size"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    seen: set[Path] = set()
    for role in endpoint.roles:
        found = []
        if role.arguments.enabled(_EXPERTS):
            found.append((_EXPERTS, "expert parallelism is on"))
        size = role.arguments.integer(_DATA)
        if size is not None and size > 1:
            found.append((_DATA, f"the data-parallel size is {size}"))
        for flag, what in found:
            path = role.where(flag)
            if path not in seen:
                seen.add(path)
                yield Hit(path, f"{what}; DPD is documented with tensor parallelism only")
