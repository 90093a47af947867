"""
What it checks
--------------
That the type of every instance group that no disaggregated role uses is one the catalogue knows HyperPod to
accept. Types of prefill and decode groups are judged by their own rule.

Why it matters
--------------
CloudFormation takes any text for the type. The cluster fails half an hour later and rolls back with everything
else in it.

When this is fine
-----------------
For a type that came after the date of the catalogue (the warning).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD221",
    name="group-instance-type",
    severity=Severity.WARNING,
    title="An instance group has a type that HyperPod is not known to offer",
    fix="correct the type; SageMaker's names begin with ml.",
    sources=(
        "SageMaker API model, instance types of a cluster",
        "EC2 instance data, as dated in the catalogue",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("HI-1.9a",),
    tags=("instances",),
    example=Example(
        of="environment",
        before="cluster: {instance_groups: {system: {instance_type: m5.4xlarge}}}",
        after="cluster: {instance_groups: {system: {instance_type: ml.m5.4xlarge}}}",
    ),
)

_PREFIX = "ml."


def check(environment: EnvironmentView) -> Iterator[Hit]:
    disaggregated = {
        role.group
        for endpoint in environment.blueprint.endpoints
        if endpoint.topology == "disaggregated"
        for role in endpoint.roles
    }
    for group in environment.blueprint.cluster.groups:
        name = group.instance_type
        if group.name in disaggregated or instance_types.get(name) is not None:
            continue
        path = ("cluster", "instance_groups", group.name, "instance_type")
        if not name.startswith(_PREFIX):
            yield Hit(
                path,
                f"'{name}' is not a SageMaker instance type: they begin with {_PREFIX}",
                Severity.ERROR,
                fix=f"write {_PREFIX}{name}",
            )
            continue
        close = difflib.get_close_matches(name, [t.name for t in instance_types.all()], n=1)
        meant = f"; did you mean {close[0]}?" if close else ""
        yield Hit(path, f"'{name}' is not in the catalogue of HyperPod's types{meant}")
