"""
What it checks
--------------
That PD_BUFFER_SIZE is set, as a literal, on a disaggregated endpoint.

Why it matters
--------------
The buffer decides the longest prompt that can be transferred, how many transfers fit at once, and how much GPU memory
vLLM must leave free. Without the variable the operator's default counts, which an upgrade may change.

When this is fine
-----------------
Where the documented default is what you want today.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.buffer import BUFFER_SIZE

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD403",
    name="buffer-size-set",
    severity=Severity.WARNING,
    title="PD_BUFFER_SIZE is not set",
    fix="set the environment variable PD_BUFFER_SIZE to a number of bytes, in quotes",
    sources=("SageMaker developer guide, DPD page, environment variables",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R62",),
    tags=("kv-transfer", "sizing"),
    example=Example(
        before="spec: {worker: {environmentVariables: [{name: -PD_BUFFER_SIZE}]}}",
        after='spec: {worker: {environmentVariables: [{name: PD_BUFFER_SIZE, value: "8589934592"}]}}',
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    variable = endpoint.environment.get(BUFFER_SIZE)
    default = engine_defaults.documented().pd_buffer_bytes
    if variable is None:
        yield Hit(
            endpoint.where_variable(BUFFER_SIZE),
            f"{BUFFER_SIZE} is not set; the documented default is {default:,} bytes",
            fix=f'set the environment variable {BUFFER_SIZE}, for the default to "{default}"',
        )
    elif variable.value is None:
        yield Hit(
            variable.value_path,
            f"{BUFFER_SIZE} comes from a {variable.source}, so no rule can judge its size",
        )
