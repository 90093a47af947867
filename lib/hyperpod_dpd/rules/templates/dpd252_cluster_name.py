"""
What it checks
--------------
That the name of a HyperPod cluster, where it is plain text, has the form and the length that the service takes.

Why it matters
--------------
The name is refused at deployment and cannot be changed later: another name is another cluster.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import requirements
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.template import TemplateView

RULE = Rule(
    id="DPD252",
    name="cluster-name",
    severity=Severity.ERROR,
    title="A cluster has a name that HyperPod does not take",
    fix="use letters, digits and single hyphens inside, within the allowed length",
    sources=("CloudFormation schema of AWS::SageMaker::Cluster, ClusterName",),
    applies_to=AppliesTo.TEMPLATE,
    covers=("HI-1.9",),
    tags=("names",),
    example=Example(
        of="template",
        before="Resources: {Cluster: {Properties: {ClusterName: dpd_dev}}}",
        after="Resources: {Cluster: {Properties: {ClusterName: dpd-dev}}}",
    ),
)


def check(template: TemplateView) -> Iterator[Hit]:
    longest = requirements.requirement("longest_cluster_name").value
    pattern = requirements.requirement("cluster_name_pattern").value
    for logical_id, properties in template.resources("AWS::SageMaker::Cluster"):
        name = properties.get("ClusterName")
        if not isinstance(name, str):
            continue
        path = template.property_path(logical_id, "ClusterName")
        if len(name) > longest:
            yield Hit(path, f"'{name}' has {len(name)} characters; at most {longest} are allowed")
        elif not re.fullmatch(pattern, name):
            yield Hit(path, f"'{name}' is not a name of letters and digits with hyphens inside")
