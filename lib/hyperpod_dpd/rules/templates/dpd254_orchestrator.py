from collections.abc import Mapping

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import TEMPLATE, WARNING, Match, Matches, TemplateView, rule
from hyperpod_dpd.view.templates import group_types


@rule(
    ("DPD254", "orchestrator", WARNING, TEMPLATE),
    title="A HyperPod cluster is not orchestrated by EKS",
    what="That a HyperPod cluster with instance types of disaggregated serving has the EKS orchestrator.",
    why="""The inference operator and its resources exist on Kubernetes only. On a Slurm cluster nothing of it
    can be installed, and the orchestrator cannot be changed.""",
    fine="For a cluster that is meant for training.",
    fix="set Orchestrator.Eks, which can be done at creation only",
    sources="AWS What's New on disaggregated prefill and decode: clusters with the EKS orchestrator",
    covers=("R23",),
    tags=("cluster",),
    before="Resources: {Cluster: {Properties: {Orchestrator: {Eks: null, Slurm: {SlurmConfigStrategy: Managed}}}}}",
    after="Resources: {Cluster: {Properties: {Orchestrator: {Eks: {ClusterArn: {Fn::GetAtt: [Eks, Arn]}}}}}}",
)
def check(template: TemplateView) -> Matches:
    for logical_id, properties in template.resources("AWS::SageMaker::Cluster"):
        groups = properties.get("InstanceGroups")
        listed = groups if isinstance(groups, list) else []
        types = {kind for group in listed if isinstance(group, Mapping) for kind in group_types(group)}
        if not types & set(instance_types.dpd_types()):
            continue
        orchestrator = properties.get("Orchestrator")
        if not isinstance(orchestrator, Mapping) or "Eks" not in orchestrator:
            kind = (
                ", ".join(orchestrator)
                if isinstance(orchestrator, Mapping) and orchestrator
                else "Slurm by default"
            )
            yield Match(
                template.property_path(logical_id, "Orchestrator"),
                f"cluster {logical_id} is orchestrated by {kind}; disaggregated serving needs EKS",
            )
