"""
What it checks
--------------
Several words in one list item, forms mixed within one list (--flag=value beside --flag value, underscores beside
dashes), shortened names, and a flag that a role writes differently from the shared arguments. On a colocated endpoint
only several words in one item count.

Why it matters
--------------
A role's argument replaces the shared one of the same flag. How the operator recognises the same flag is not
published; if it compares items as text, both stay and which one wins is chance. Several words in one item reach vLLM
as one unknown argument unless a shell splits them.

When this is fine
-----------------
Where the effective arguments of the running pod were looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.arguments.problems import problems
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD517",
    name="argument-form",
    severity=Severity.WARNING,
    title="Arguments in a form that the operator's merge may not recognise",
    fix="write every flag as two list items, the long name with dashes and then the value",
    sources=("SageMaker developer guide, DPD page, merge of a role's arguments",),
    applies_to=AppliesTo.ENDPOINT,
    covers=("R109",),
    tags=("arguments",),
    example=Example(
        before="""
spec:
  pdSpec:
    prefillSpec: {args: ["--gpu-memory-utilization=0.7"]}
""",
        after="""
spec:
  pdSpec:
    prefillSpec: {args: [--gpu-memory-utilization, "0.7"]}
""",
    ),
)

_MERGE = ("mixed-spelling", "merge-spelling", "abbreviation")
_SHELL = "-c"


def check(endpoint: EndpointView) -> Iterator[Hit]:
    kinds = _MERGE if endpoint.disaggregated else ()
    if not _has_shell(endpoint):
        kinds = (*kinds, "shell-string")
    for problem in problems(endpoint, *kinds):
        yield Hit(problem.path, problem.message, fix=problem.fix)


def _has_shell(endpoint: EndpointView) -> bool:
    """Whether worker.command is a shell that splits the words itself."""
    command = endpoint.get("worker", "command")
    return isinstance(command, list) and bool(command) and str(command[-1]).endswith(_SHELL)
