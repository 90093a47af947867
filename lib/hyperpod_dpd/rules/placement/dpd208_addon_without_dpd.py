"""
What it checks
--------------
That a pinned version of the inference add-on is at least the first one that carries disaggregation. Add-on
versions are compared with add-on versions only; operator releases are another series of numbers.

Why it matters
--------------
The version that is pinned is the one that is installed, whatever release the document names beside it.

When this is fine
-----------------
Where no endpoint of the environment is disaggregated; the rule is then silent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.catalog.versions import AddonVersion
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD208",
    name="addon-without-dpd",
    severity=Severity.ERROR,
    title="The add-on version is older than disaggregation",
    fix="set operator.addon_version to a version that has disaggregation, or leave it out",
    sources=("HyperPod inference release notes, 3.2",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("R20",),
    tags=("addons",),
    example=Example(
        of="environment",
        before="operator: {addon_version: v1.2.1-eksbuild.1}",
        after="operator: {addon_version: v1.5.0-eksbuild.1}",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    pinned = environment.document.operator.addon_version
    if pinned is None or environment.document.operator.install != "addon":
        return
    disaggregated = any(e.topology == "disaggregated" for e in environment.blueprint.endpoints)
    if disaggregated and not operator_releases.addon_supports_dpd(AddonVersion.parse(pinned)):
        yield Hit(
            ("operator", "addon_version"),
            f"add-on {pinned} has no disaggregation; {operator_releases.dpd_addon()} is the first that has",
        )
