"""
What it checks
--------------
That a production environment that has NAT gateways has one in each zone.

Why it matters
--------------
A NAT gateway lives in one zone. When that zone is out, nodes in the others can pull no image and reach no
registry, so the endpoint in a healthy zone cannot be scaled or restarted either.

When this is fine
-----------------
Where images are mirrored and weights come through the S3 gateway endpoint.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD239",
    name="single-nat",
    severity=Severity.WARNING,
    title="A production environment leaves by one NAT gateway",
    fix="set network.nat to per-zone",
    sources=("Amazon VPC user guide, NAT gateways: one for each availability zone",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.1d",),
    tags=(
        "network",
        "production",
    ),
    example=Example(
        of="environment",
        before="production: true",
        after="""
production: true
network: {nat: per-zone}
""",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    network = environment.document.network
    if environment.document.production and environment.blueprint.network.nat == "single":
        zone = network.control_plane_zones[0]
        yield Hit(("network", "nat"), f"all nodes leave by one NAT gateway in {zone}")
