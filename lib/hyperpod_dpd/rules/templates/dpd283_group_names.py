from collections.abc import Mapping

from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.template_values import items

_LISTS = ("InstanceGroups", "RestrictedInstanceGroups")


@rule(
    ("DPD283", "group-names", ERROR, TEMPLATE),
    title="Two instance groups of a cluster have one name",
    what="That the instance groups of a HyperPod cluster have names of their own.",
    why="""SageMaker knows a group by its name and refuses the cluster. Node labels carry the name too: a role
    that selects it could not be told which of the two it gets.""",
    fine="Never.",
    fix="give each group a name of its own",
    sources="SageMaker API reference, CreateCluster, instance group name",
    tags=("cluster", "names"),
    before="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: workers
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
            - InstanceGroupName: workers
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}""",
    after="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: workers
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
            - InstanceGroupName: more
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}""",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::SageMaker::Cluster"):
        seen: dict[str, str] = {}
        for key in _LISTS:
            for index, group in enumerate(items(properties.get(key))):
                name = group.get("InstanceGroupName") if isinstance(group, Mapping) else None
                if not isinstance(name, str):
                    continue
                if name in seen:
                    yield Match(
                        template.property_path(logical_id, key, index, "InstanceGroupName"),
                        f"'{name}' is also the name of {seen[name]}",
                    )
                seen.setdefault(name, f"{key}[{index}]")
