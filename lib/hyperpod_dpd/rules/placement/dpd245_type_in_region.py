"""
What it checks
--------------
That the Region has the instance type of every group, alternatives included, by the lists of types per Region that
CloudFormation's linters carry.

Why it matters
--------------
`cdk synth` validates with such a list and refuses the template. Where the list is right, the cluster could not
have been made either: its creation would wait for capacity that is not sold there, and roll back.

When this is fine
-----------------
Where the type came to the Region after the date of the lists: the acknowledgement also silences the linters on this
cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import instance_type_regions, instance_types
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.document import Path
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD245",
    name="type-in-region",
    severity=Severity.ERROR,
    title="The Region is not known to have the instance type",
    fix="use another type or Region, or acknowledge this where you have the type's quota there",
    sources=(
        "cfn-lint and CDK's built-in validation, E3644: cluster types per Region, as dated in the catalogue",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.9a",),
    waivable=True,
    tags=("instances",),
    example=Example(
        of="environment",
        before="""
region: eu-west-1
network: {control_plane_zones: [euw1-az1, euw1-az2], accelerator_zones: [euw1-az2]}
cluster:
  instance_groups:
    prefill: {instance_type: ml.p6-b200.48xlarge}
    decode: {instance_type: ml.p6-b200.48xlarge}
""",
        after="""
region: us-east-1
network: {control_plane_zones: [use1-az1, use1-az2], accelerator_zones: [use1-az2]}
cluster:
  instance_groups:
    prefill: {instance_type: ml.p6-b200.48xlarge}
    decode: {instance_type: ml.p6-b200.48xlarge}
""",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    region = environment.document.region
    for name, group in environment.document.cluster.instance_groups.items():
        path: Path = ("cluster", "instance_groups", name)
        named = [(group.instance_type, (*path, "instance_type"))]
        named += [(other, (*path, "alternatives", i)) for i, other in enumerate(group.alternatives)]
        for kind, place in named:
            if instance_type_regions.absent(kind, region):
                yield Hit(
                    place,
                    f"no list has {kind} in {region} ({instance_type_regions.lists_source().date}), and synthesis "
                    "refuses it there",
                    fix=_fix(kind),
                )


def _fix(kind: str) -> str:
    if kind not in instance_types.dpd_types():
        return RULE.fix
    there = instance_type_regions.regions_with(kind)
    return f"use one of {', '.join(there)}, another type, or acknowledge this where you have its quota"
