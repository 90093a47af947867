from collections.abc import Mapping

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import flat


@rule(
    ("DPD267", "group-taints-in-template", ERROR, TEMPLATE),
    title="An instance group of a template has taints and deep health checks together",
    what="""That no instance group of a HyperPod cluster in a template has both KubernetesConfig.Taints and
    OnStartDeepHealthChecks.""",
    why="HyperPod refuses the combination, and the cluster is not created.",
    fine="Never.",
    fix="remove the taints (separate the groups by label) or the deep health checks",
    sources="SageMaker developer guide, HyperPod on EKS, taints and deep health checks of instance groups",
    covers=("HI-0.6",),
    tags=("placement",),
    before="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: decode
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              OnStartDeepHealthChecks: [InstanceStress]
              KubernetesConfig: {Taints: [{Key: dpd, Value: decode, Effect: NoSchedule}]}""",
    after="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: decode
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              OnStartDeepHealthChecks: [InstanceStress]
              KubernetesConfig: {Labels: {dpd: decode}}""",
)
def check(template: TemplateView) -> Matches:
    for path, group, _ in template.instance_groups():
        config = group.get("KubernetesConfig")
        taints = config.get("Taints") if isinstance(config, Mapping) else None
        if taints and group.get("OnStartDeepHealthChecks"):
            yield Match(
                (*path, "OnStartDeepHealthChecks"),
                f"group '{flat(group.get('InstanceGroupName'))}' has taints and deep health checks",
            )
