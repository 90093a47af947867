"""
What it checks
--------------
Changes that restart prefill and decode pods at the same time.

Why it matters
--------------
Shared arguments, variables and the image belong to both roles. With one decoder, which is what is documented, there is
none left while the new one loads the weights, and callers wait or get errors.

When this is fine
-----------------
In a maintenance window, or with a second endpoint that takes the traffic meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hyperpod_dpd.view.change import ChangeView
    from hyperpod_dpd.view.endpoint import RoleView

RULE = Rule(
    id="DPD959",
    name="both-roles-restart",
    severity=Severity.INFO,
    title="Both roles restart at once",
    fix="apply it in a quiet hour, or let a second endpoint take the traffic until both roles are ready",
    sources=("hyperpod-dpd, what a pod template is made of",),
    applies_to=AppliesTo.CHANGE,
    tags=("change", "operations"),
    example=Example(
        before="spec: {worker: {args: {--max-model-len: 8192}}}",
        after="spec: {pdSpec: {prefillSpec: {args: {--max-num-seqs: 8}}}}",
        of="change",
    ),
)


def check(change: ChangeView) -> Iterator[Hit]:
    if change.renamed or change.switched or not change.after.disaggregated or len(change.roles) < 2:
        return
    shared = [
        name
        for name, differs in (
            ("image", change.changed("worker", "image")),
            ("environment variables", bool(change.variables)),
        )
        if differs
    ]
    reasons = [_reasons(was, now) for was, now in change.roles]
    if shared or all(reasons):
        named = list(dict.fromkeys([*shared, *(each for some in reasons for each in some)]))
        yield Hit(("spec", "worker"), f"prefill and decode both restart: {', '.join(named)} changed")


def _text(resources: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    return {kind: {name: str(amount) for name, amount in each.items()} for kind, each in resources.items()}


def _reasons(was: RoleView, now: RoleView) -> list[str]:
    """What of a role's pod template differs; the number of replicas restarts nothing."""
    found = []
    if was.arguments.render() != now.arguments.render():
        found.append("arguments")
    if _text(was.resources) != _text(now.resources):
        found.append("resources")
    if was.node_selector != now.node_selector:
        found.append("node selector")
    return found
