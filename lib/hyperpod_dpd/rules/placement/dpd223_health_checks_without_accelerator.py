from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import ENVIRONMENT, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD223", "health-checks-without-accelerator", WARNING, ENVIRONMENT),
    title="Deep health checks on nodes without accelerators",
    what="That deep health checks are asked only of groups whose nodes have GPUs or Trainium.",
    why="""The checks stress accelerators and EFA. On plain nodes they test nothing, and the entry suggests
    that somebody looks after those nodes.""",
    fine="Never; remove the entry.",
    fix="remove deep_health_checks from the group",
    sources="SageMaker developer guide, HyperPod deep health checks: GPU and Trainium instances",
    covers=("HI-1.9b",),
    tags=("placement",),
    before="cluster: {instance_groups: {system: {deep_health_checks: [InstanceStress]}}}",
    after="cluster: {instance_groups: {decode: {deep_health_checks: [InstanceStress]}}}",
)
def check(environment: EnvironmentView) -> Matches:
    for group in environment.blueprint.cluster.groups:
        known = instance_types.get(group.instance_type)
        if group.deep_health_checks and known is not None and not known.gpus and known.accelerator is None:
            yield Match(
                ("cluster", "instance_groups", group.name, "deep_health_checks"),
                f"{group.instance_type} has no accelerator, and the checks run on accelerators only",
            )
