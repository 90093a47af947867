"""
What it checks
--------------
That a production environment with a disaggregated endpoint names its plan for draining the decode node.

Why it matters
--------------
All traffic ends at one decoder: while its pod moves and loads weights, which takes minutes, nothing is
served. A disruption budget for one replica either blocks every drain or allows the outage; the operator makes
none, and the endpoint's manifest has no field for it.

When this is fine
-----------------
Where a second endpoint takes the traffic meanwhile; then that is the plan to name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD931",
    name="decode-maintenance",
    severity=Severity.WARNING,
    title="No plan for draining the decode node",
    fix="write down how the decode node is drained, and name the place in operations.decode_maintenance_plan",
    sources=(
        "SageMaker developer guide, DPD page, known limits",
        "derived: the decoder serves every request",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("R191",),
    tags=(
        "operations",
        "availability",
    ),
    example=Example(
        before="production: true",
        after="""
production: true
operations: {decode_maintenance_plan: wiki/dpd/decode-maintenance}
""",
        of="environment",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    document = environment.document
    names = [p.name for p in environment.blueprint.endpoints if p.topology == "disaggregated"]
    if document.production and names and not document.operations.decode_maintenance_plan:
        yield Hit(
            ("operations", "decode_maintenance_plan"),
            f"no plan says how the decode node of {', '.join(names)} is drained, and every request ends there",
        )
