"""
What it checks
--------------
That the environment variables of an endpoint that exists stay as they are.

Why it matters
--------------
The resource definition says of them "cannot be updated": the change may be refused, or not reach the running pods. Both
roles share these variables, so pods that start later with other values stop finding each other's cache keys.

When this is fine
-----------------
When the endpoint is created anew with the change; acknowledge it with the plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.change import ChangeView

RULE = Rule(
    id="DPD952",
    name="variables-changed",
    severity=Severity.WARNING,
    title="Environment variables change on an endpoint that exists",
    fix="plan to delete and create the endpoint anew, so that every pod of both roles starts with the new values",
    sources=("InferenceEndpointConfig CRD, operator 3.2, worker.environmentVariables",),
    applies_to=AppliesTo.CHANGE,
    covers=("R81",),
    tags=("change", "variables"),
    example=Example(
        before='spec: {worker: {environmentVariables: [{name: LMCACHE_LOG_LEVEL, value: "DEBUG"}]}}',
        after="spec: {}",
        of="change",
    ),
)


def check(change: ChangeView) -> Iterator[Hit]:
    if change.renamed:
        return
    for name, (was, now) in change.variables.items():
        yield Hit(
            change.after.where_variable(name),
            f"{name} {_says(was, now)}; variables cannot be updated in place",
        )


def _says(was: str | None, now: str | None) -> str:
    """What happened, without a value: it may come from a place that holds secrets."""
    return "is added" if was is None else "is removed" if now is None else "has another value"
