"""
What it checks
--------------
That the environment's Region is one for which the operator's own chart knows an image registry.

Why it matters
--------------
The sources disagree: the guide speaks of all HyperPod Regions, the chart lists sixteen. Where the list is
right, the operator's pods cannot pull their image and no endpoint is ever reconciled.

When this is fine
-----------------
Where the add-on is seen to run in that Region.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import regions
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD229",
    name="operator-region",
    severity=Severity.WARNING,
    title="The operator's images are not known to be in the Region",
    fix="choose a Region of the operator's image map, or check there that the add-on can be installed",
    sources=(
        "HyperPod CLI repository, inference operator chart: Region map of images",
        "SageMaker developer guide: all Regions where HyperPod is available",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=(
        "HI-1.10b",
        "I3-region-images",
    ),
    tags=("addons",),
    example=Example(
        of="environment",
        before="""
region: ca-central-1
network: {control_plane_zones: [cac1-az1, cac1-az2], accelerator_zones: [cac1-az2]}
""",
        after="""
region: us-east-1
network: {control_plane_zones: [use1-az1, use1-az2], accelerator_zones: [use1-az2]}
""",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    region = environment.document.region
    known = regions.get(region)
    if known is None:
        yield Hit(("region",), f"'{region}' is not a Region of the catalogue; nothing about it is confirmed")
    elif not known.operator_images:
        yield Hit(
            ("region",),
            f"the operator's chart names image registries in {len(regions.operator_regions())} Regions, and {region} "
            "is not among them; the guide speaks of all HyperPod Regions, so this is not confirmed",
            fix=f"use one of {', '.join(regions.operator_regions())}, or verify the add-on in {region}",
        )
