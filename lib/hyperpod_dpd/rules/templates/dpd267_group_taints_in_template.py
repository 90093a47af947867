"""
What it checks
--------------
That no instance group of a HyperPod cluster in a template has both KubernetesConfig.Taints and
OnStartDeepHealthChecks.

Why it matters
--------------
HyperPod refuses the combination, and the cluster is not created.

When this is fine
-----------------
Never.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity
from hyperpod_dpd.view.template_values import flat

if TYPE_CHECKING:
    from hyperpod_dpd.view.template import TemplateView

RULE = Rule(
    id="DPD267",
    name="group-taints-in-template",
    severity=Severity.ERROR,
    title="An instance group of a template has taints and deep health checks together",
    fix="remove the taints (separate the groups by label) or the deep health checks",
    sources=("SageMaker developer guide, HyperPod on EKS, taints and deep health checks of instance groups",),
    applies_to=AppliesTo.TEMPLATE,
    covers=("HI-0.6",),
    tags=("placement",),
    example=Example(
        of="template",
        before="""
Resources:
  Cluster:
    Properties:
      InstanceGroups:
        - InstanceGroupName: decode
          InstanceType: ml.p5.48xlarge
          InstanceCount: 1
          ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
          OnStartDeepHealthChecks: [InstanceStress]
          KubernetesConfig: {Taints: [{Key: dpd, Value: decode, Effect: NoSchedule}]}
""",
        after="""
Resources:
  Cluster:
    Properties:
      InstanceGroups:
        - InstanceGroupName: decode
          InstanceType: ml.p5.48xlarge
          InstanceCount: 1
          ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
          OnStartDeepHealthChecks: [InstanceStress]
          KubernetesConfig: {Labels: {dpd: decode}}
""",
    ),
)


def check(template: TemplateView) -> Iterator[Hit]:
    for path, group, _ in template.instance_groups():
        config = group.get("KubernetesConfig")
        taints = config.get("Taints") if isinstance(config, Mapping) else None
        if taints and group.get("OnStartDeepHealthChecks"):
            yield Hit(
                (*path, "OnStartDeepHealthChecks"),
                f"group '{flat(group.get('InstanceGroupName'))}' has taints and deep health checks",
            )
