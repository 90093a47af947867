"""
What it checks
--------------
That flow logs of the VPC are on; in production their absence is a warning.

Why it matters
--------------
When transfers fall back to TCP, or a closed network turns out not to be closed, the flow logs are the only
record of what went where.

When this is fine
-----------------
Where the owner of an existing VPC keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD243",
    name="flow-logs-off",
    severity=Severity.INFO,
    title="The network keeps no flow logs",
    fix="set network.flow_logs to true",
    sources=("AWS Security Hub control EC2.6",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.1f",),
    tags=(
        "network",
        "production",
    ),
    example=Example(
        of="environment",
        before="network: {flow_logs: false}",
        after="network: {flow_logs: true}",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    if not environment.document.network.flow_logs:
        yield Hit(
            ("network", "flow_logs"),
            "flow logs are switched off",
            Severity.WARNING if environment.document.production else None,
        )
