from hyperpod_dpd.catalog import instance_types, requirements
from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD905", "observability-node-size", WARNING, ENVIRONMENT),
    title="A node is smaller than the observability add-on asks for",
    what="That no instance group has nodes with fewer vCPUs than the add-on's smallest node.",
    why="""The add-on runs collectors on every node; on smaller nodes they stay Pending, and the nodes'
    metrics are missing.""",
    fine="Where the collectors are known to fit.",
    fix="use a 4xlarge or larger type for every instance group",
    sources="SageMaker developer guide, HyperPod observability add-on, prerequisites",
    covers=("O-node-size",),
    tags=("observability",),
    before="cluster: {instance_groups: {system: {instance_type: ml.m5.2xlarge}}}",
    after="cluster: {instance_groups: {system: {instance_type: ml.m5.4xlarge}}}",
)
def check(environment: EnvironmentView) -> Matches:
    if not environment.document.observability.enabled:
        return
    least = requirements.requirement("observability_node_vcpus").value
    for name, group in environment.document.cluster.instance_groups.items():
        known = instance_types.get(group.instance_type)
        if known is not None and known.vcpus < least:
            yield Match(
                ("cluster", "instance_groups", name, "instance_type"),
                f"{group.instance_type} of group '{name}' has {known.vcpus} vCPUs, the observability add-on asks for "
                f"{least} (a 4xlarge)",
            )
