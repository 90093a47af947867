"""
What it checks
--------------
That the inference operator comes with the environment: its release has a known add-on version, or one is given.

Why it matters
--------------
Without a version to pin, the add-on is left out of the templates. The endpoints are applied to a cluster that
nobody reconciles: no pod starts and no error appears.

When this is fine
-----------------
Where the operator is already on an existing cluster and managed elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import operator_releases
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD210",
    name="operator-left-out",
    severity=Severity.ERROR,
    title="No add-on version is known, so no operator would be installed",
    fix="give operator.addon_version, or name a release whose add-on is known",
    sources=("HyperPod inference release notes, pairs of operator release and add-on version",),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-5",),
    waivable=True,
    tags=("addons",),
    example=Example(
        of="environment",
        before='operator: {release: "3.6"}',
        after='operator: {release: "3.4"}',
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    operator = environment.blueprint.operator
    if operator.install == "addon" and operator.addon_version is None:
        known = ", ".join(
            f"{e.release} ({e.addon})" for e in operator_releases.all() if e.release and e.addon
        )
        yield Hit(
            ("operator", "release"),
            f"no EKS add-on version is known for operator {operator.release}, so the add-on is left out",
            fix=f"give operator.addon_version, or use a release whose add-on is known: {known}",
        )
