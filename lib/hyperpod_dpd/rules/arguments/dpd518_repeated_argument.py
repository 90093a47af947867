"""
What it checks
--------------
That no flag stands twice in one list of arguments, in any spelling. The same value twice is a warning, and so is a
repetition on a colocated endpoint.

Why it matters
--------------
vLLM takes the last one. The operator's merge replaces the flag by one value, and which of the two it meets is not
documented.

When this is fine
-----------------
Never; flags that may be repeated are not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.arguments.problems import problems
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD518",
    name="repeated-argument",
    severity=Severity.ERROR,
    title="A flag is given twice in one list",
    fix="keep one of the two",
    sources=(
        "SageMaker developer guide, DPD page, merge of a role's arguments",
        "vLLM 0.19.0, engine arguments",
    ),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R110",),
    tags=("arguments",),
    example=Example(
        before="""
spec:
  pdSpec:
    prefillSpec: {args: [--max-num-seqs, "16", --max-num-seqs, "8"]}
""",
        after="""
spec:
  pdSpec:
    prefillSpec: {args: [--max-num-seqs, "16"]}
""",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    for problem in problems(endpoint, "repeated"):
        certain = endpoint.disaggregated and _values_differ(endpoint, problem.flag or "", problem.path)
        yield Hit(problem.path, problem.message, None if certain else Severity.WARNING, fix=problem.fix)


def _values_differ(endpoint: EndpointView, flag: str, path: Path) -> bool:
    for arguments in (endpoint.worker_arguments, *(role.own_arguments for role in endpoint.roles)):
        found = arguments.occurrences(flag)
        if any(item.path == path for item in found):
            return len({(item.values, item.negated) for item in found}) > 1
    return True
