from hyperpod_dpd.catalog import instance_types, requirements
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, EnvironmentView, Match, Matches, Path, rule

_PATH: Path = ("cluster", "instance_groups")


@rule(
    ("DPD219", "system-group", ERROR, ENVIRONMENT),
    title="No instance group can run the operator and the other system pods",
    what="""That at least one instance group has nodes without accelerators and of the architecture that the
    operator's image is built for.""",
    why="""The add-ons become active only when their pods run. With GPU nodes alone the system pods share the
    decoder's node; with none, or only arm64 ones, they stay Pending and the deployment ends after hours.""",
    fine="Where system pods are meant to share the GPU nodes, in an experiment.",
    fix="add an instance group of amd64 nodes without GPUs, such as {instance_type: ml.m5.4xlarge, count: 2}",
    sources="""HyperPod CLI repository, inference operator chart: affinity to amd64 | SageMaker developer
    guide, troubleshooting of the inference add-on's installation""",
    covers=("R32", "A-13", "A-19", "HI-0.9"),
    tags=("placement", "addons"),
    waivable=True,
    before="cluster: {instance_groups: {system: {instance_type: ml.m7g.4xlarge}}}",
    after="cluster: {instance_groups: {system: {instance_type: ml.m5.4xlarge}}}",
)
def check(environment: EnvironmentView) -> Matches:
    wanted = str(requirements.requirement("operator_architecture").value)
    groups = [(g, instance_types.get(g.instance_type)) for g in environment.blueprint.cluster.groups]
    plain = [(g, t) for g, t in groups if t is not None and not t.gpus and t.accelerator is None]
    fitting = [g for g, t in plain if t is not None and t.architecture == wanted]
    if any(g.count for g in fitting) or any(t is None for _, t in groups):
        return
    if fitting:
        group = fitting[0]
        yield Match(
            (*_PATH, group.name, "count"), f"group '{group.name}' could run the system pods, but has no nodes"
        )
    elif plain:
        for group, known in plain:
            architecture = known.architecture if known is not None else "another architecture"
            yield Match(
                (*_PATH, group.name, "instance_type"),
                f"{group.instance_type} is {architecture}, and the operator runs on {wanted} only; no other group "
                "is without GPUs",
            )
    else:
        yield Match(
            _PATH, "every instance group has accelerators; the operator and the router need plain nodes"
        )
