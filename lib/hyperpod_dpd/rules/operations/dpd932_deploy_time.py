"""
What it checks
--------------
That maxDeployTimeInSeconds leaves room for pulling the image and loading the weights.

Why it matters
--------------
A cold load of a 70B model from S3 takes up to ten minutes on top of the image pull; a deployment that is cut
off before is reported as failed although nothing is wrong.

When this is fine
-----------------
Where weights and image are cached on the nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.endpoint import EndpointView

RULE = Rule(
    id="DPD932",
    name="deploy-time",
    severity=Severity.WARNING,
    title="The time allowed for a deployment is shorter than loading may take",
    fix="set maxDeployTimeInSeconds to 3600, the default",
    sources=("SageMaker developer guide, DPD troubleshooting page, slow loads",),
    applies_to=AppliesTo.DISAGGREGATED,
    covers=("R192",),
    tags=("operations",),
    example=Example(
        before="spec: {maxDeployTimeInSeconds: 300}",
        after="spec: {maxDeployTimeInSeconds: 3600}",
    ),
)


def check(endpoint: EndpointView) -> Iterator[Hit]:
    seconds = endpoint.get("maxDeployTimeInSeconds")
    least = engine_defaults.documented().shortest_deploy_seconds
    if isinstance(seconds, int) and seconds < least:
        yield Hit(
            ("spec", "maxDeployTimeInSeconds"),
            f"{seconds:,} s are allowed; a cold load with the image pull may take {least:,} s",
        )
