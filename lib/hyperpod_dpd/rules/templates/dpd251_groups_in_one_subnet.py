import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.rule import ERROR, TEMPLATE, WARNING, Match, Matches, Path, TemplateView, rule
from hyperpod_dpd.view.template_values import flat


@dataclass(frozen=True, slots=True)
class _Group:
    path: Path
    name: str
    role: str
    labelled: bool
    subnets: tuple[str, ...]


@rule(
    ("DPD251", "groups-in-one-subnet", ERROR, TEMPLATE),
    title="Prefill and decode instance groups do not share a subnet",
    what="""That every prefill group of a HyperPod cluster has a decode group in its subnet and the other way
    round, and that no such group names several subnets. Groups are told apart by our role label, else by
    their names; by name it is a warning.""",
    why="""HyperPod nodes in two subnets may be in two zones, and EFA does not reach across zones. Where a
    list of subnets is given, HyperPod chooses, and neither the cluster's nor the group's subnet can be
    changed afterwards.""",
    fine="For groups that only look like a pair by their names.",
    fix="give both groups an OverrideVpcConfig with the same single subnet",
    sources="""SageMaker developer guide, HyperPod on EKS: the cluster picks one of its subnets, a group may
    override | SageMaker developer guide, DPD page, placement""",
    covers=("R27", "HI-1.1e"),
    tags=("efa", "placement"),
    before="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: prefill
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              KubernetesConfig: {Labels: {dpd.hyperpod/role: prefill}}
              OverrideVpcConfig: {SecurityGroupIds: [{Fn::GetAtt: [Nodes, GroupId]}], Subnets: [{Ref: ZoneOne}]}
            - InstanceGroupName: decode
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              KubernetesConfig: {Labels: {dpd.hyperpod/role: decode}}
              OverrideVpcConfig: {SecurityGroupIds: [{Fn::GetAtt: [Nodes, GroupId]}], Subnets: [{Ref: ZoneTwo}]}""",
    after="""Resources:
      Cluster:
        Properties:
          InstanceGroups:
            - InstanceGroupName: prefill
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              KubernetesConfig: {Labels: {dpd.hyperpod/role: prefill}}
              OverrideVpcConfig: {SecurityGroupIds: [{Fn::GetAtt: [Nodes, GroupId]}], Subnets: [{Ref: ZoneTwo}]}
            - InstanceGroupName: decode
              InstanceType: ml.p5.48xlarge
              InstanceCount: 1
              ExecutionRole: {Fn::GetAtt: [NodeRole, Arn]}
              KubernetesConfig: {Labels: {dpd.hyperpod/role: decode}}
              OverrideVpcConfig: {SecurityGroupIds: [{Fn::GetAtt: [Nodes, GroupId]}], Subnets: [{Ref: ZoneTwo}]}""",
)
def check(template: TemplateView) -> Matches:
    groups = [g for g in _groups(template) if g.role in ("prefill", "decode", "shared")]
    for group in groups:
        if len(group.subnets) > 1:
            yield _hit(
                group,
                f"group '{group.name}' names {len(group.subnets)} subnets; HyperPod chooses one of them",
            )
    single = [g for g in groups if len(g.subnets) == 1]
    prefill = [g for g in single if g.role != "decode"]
    decode = [g for g in single if g.role != "prefill"]
    if not prefill or not decode:
        return
    for group, partners, what in (
        *((g, decode, "decode") for g in prefill),
        *((g, prefill, "prefill") for g in decode),
    ):
        if group.role != "shared" and not any(p.subnets == group.subnets for p in partners):
            yield _hit(group, f"group '{group.name}' stands in a subnet where no {what} group stands")


def _hit(group: _Group, message: str) -> Match:
    return Match(group.path, message, None if group.labelled else WARNING)


def _groups(template: TemplateView) -> Iterator[_Group]:
    for path, body, cluster in template.instance_groups():
        config = body.get("OverrideVpcConfig") or cluster.get("VpcConfig")
        subnets = config.get("Subnets") if isinstance(config, Mapping) else None
        name = flat(body.get("InstanceGroupName"))
        kubernetes = body.get("KubernetesConfig")
        labels = kubernetes.get("Labels") if isinstance(kubernetes, Mapping) else None
        label = labels.get(names.ROLE_LABEL) if isinstance(labels, Mapping) else None
        by_name = next((role for role in ("prefill", "decode") if role in name.lower()), "")
        yield _Group(
            (*path, "OverrideVpcConfig") if "OverrideVpcConfig" in body else path,
            name,
            str(label or by_name),
            label is not None,
            tuple(json.dumps(s, sort_keys=True) for s in subnets) if isinstance(subnets, list) else (),
        )
