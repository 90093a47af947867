from collections.abc import Mapping

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.templates import group_types

_ROLES = ("prefill", "decode", "shared")


@rule(
    ("DPD268", "role-group-type", ERROR, TEMPLATE),
    title="A prefill or decode instance group has a type that AWS does not list for it",
    what="""That instance groups which carry our label for a prefill, decode or shared role are of a type that
    AWS lists for disaggregated serving.""",
    why="""Types without NVLink, without EFA or with another accelerator (Trainium, Inferentia) serve every
    request slower or not at all, and nothing in the template says so.""",
    fine="For an experiment on a type that AWS has added to its list since the catalogue's date.",
    fix="use one of the listed types for both groups",
    sources="SageMaker developer guide, DPD page, supported instance types",
    covers=("R24",),
    tags=("instances",),
    before="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: decode
              InstanceType: ml.trn1.32xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              KubernetesConfig: {Labels: {dpd.hyperpod/role: decode}}""",
    after="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: decode
              InstanceType: ml.p5en.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              KubernetesConfig: {Labels: {dpd.hyperpod/role: decode}}""",
)
def check(template: TemplateView) -> Matches:
    for path, group, _ in template.instance_groups():
        config = group.get("KubernetesConfig")
        labels = config.get("Labels") if isinstance(config, Mapping) else None
        role = labels.get(names.ROLE_LABEL) if isinstance(labels, Mapping) else None
        if role not in _ROLES:
            continue
        field = "InstanceType" if "InstanceType" in group else "InstanceRequirements"
        for kind in group_types(group):
            if reason := instance_types.why_not_for_dpd(kind):
                yield Match((*path, field), f"{kind} of the {role} group is not supported for DPD: {reason}")
