from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD222", "taints-and-health-checks", ERROR, ENVIRONMENT),
    title="An instance group has taints and deep health checks together",
    what="That no instance group has both custom taints and deep health checks at start.",
    why="""HyperPod refuses the combination: the checks run as pods that tolerate only HyperPod's own taint.
    The cluster is not created.""",
    fine="Never.",
    fix="remove the taints (separate the groups by label) or the deep health checks",
    sources="SageMaker developer guide, HyperPod on EKS, taints and deep health checks of instance groups",
    covers=("HI-0.6",),
    tags=("placement",),
    before="""cluster:
      instance_groups:
        system:
          taints: [{key: team, value: a, effect: NoSchedule}]
          deep_health_checks: [InstanceStress]""",
    after="""cluster:
      instance_groups:
        system:
          taints: [{key: team, value: a, effect: NoSchedule}]""",
)
def check(environment: EnvironmentView) -> Matches:
    for group in environment.blueprint.cluster.groups:
        if group.taints and group.deep_health_checks:
            taints = ", ".join(map(str, group.taints))
            yield Match(
                ("cluster", "instance_groups", group.name, "deep_health_checks"),
                f"group '{group.name}' has {', '.join(group.deep_health_checks)} and the taint {taints}",
            )
