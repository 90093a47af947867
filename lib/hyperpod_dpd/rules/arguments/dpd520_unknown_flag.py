"""
What it checks
--------------
Flags that no release of vLLM we know has and that look like a misspelling of one. Other unknown flags are left alone,
since a newer vLLM may have them.

Why it matters
--------------
vLLM refuses to start over an unknown flag; and the flag that was meant keeps its default.

When this is fine
-----------------
Where your image's vLLM is newer and has the flag.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.arguments.problems import problems
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD520",
    name="unknown-flag",
    severity=Severity.WARNING,
    title="A flag that vLLM does not have, close to one it has",
    fix="correct the flag's name",
    sources=("vLLM 0.19.0, engine arguments",),
    applies_to=AppliesTo.ENDPOINT,
    tags=("arguments",),
    example=Example(
        before='spec: {worker: {args: ["--tensor-paralel-size", "8"]}}',
        after='spec: {worker: {args: ["--tensor-parallel-size", "8"]}}',
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for problem in problems(endpoint, "unknown-flag"):
        yield Hit(problem.path, problem.message, fix=problem.fix)
