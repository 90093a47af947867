from collections import Counter

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import ENVIRONMENT, INFO, WARNING, EnvironmentView, Match, Matches, Path, rule
from hyperpod_dpd.sizing.packing import nodes_needed


@rule(
    ("DPD217", "nodes-after-scaling", WARNING, ENVIRONMENT),
    title="Autoscaling may ask for more nodes than the instance group may have",
    what="""That the pods which autoscaling may add find nodes: within the group's max_count (a warning beyond
    it), and within its present count (a note, because somebody has to raise the count first).""",
    why="""Scaling adds pods, not nodes. The pods it adds beyond the nodes stay Pending exactly when the load
    is highest.""",
    fine="Where nodes are added by hand before the load comes.",
    fix="lower max_replicas, or raise the group's max_count",
    sources="""InferenceEndpointConfig CRD, operator 3.2, pdSpec.autoScalingSpec | CloudFormation schema of
    AWS::SageMaker::Cluster: a group has the nodes of its InstanceCount""",
    covers=("R31",),
    tags=("placement", "capacity", "scaling"),
    before="""cluster: {instance_groups: {prefill: {count: 2, max_count: 2}}}
    endpoints: {llama-70b: {prefill: {autoscaling: {max_replicas: 4}}}}""",
    after="""cluster: {instance_groups: {prefill: {count: 2, max_count: 2}}}
    endpoints: {llama-70b: {prefill: {autoscaling: {max_replicas: 2}}}}""",
)
def check(environment: EnvironmentView) -> Matches:
    for group in environment.blueprint.cluster.groups:
        known = instance_types.get(group.instance_type)
        pods, path = _most_pods(environment, group.name)
        if path is None or known is None or not known.gpus:
            continue
        needed = nodes_needed(pods, node_gpus=known.gpus)
        if needed is None or needed <= group.count:
            continue
        asked = f"{pods.total()} pods after scaling need {needed} nodes of group '{group.name}'"
        if needed > group.max_count:
            yield Match(path, f"{asked}; it may grow to {group.max_count}")
        else:
            yield Match(
                path,
                f"{asked}; it has {group.count}, and its count has to be raised first",
                INFO,
                fix=f"raise the count of group '{group.name}' to {needed} before the load comes",
            )


def _most_pods(environment: EnvironmentView, group: str) -> tuple[Counter[int], Path | None]:
    """Number of pods that may select the group by the GPUs of one, and the last autoscaling that says so."""
    pods: Counter[int] = Counter()
    path: Path | None = None
    for endpoint in environment.blueprint.endpoints:
        written = environment.document.endpoints[endpoint.name]
        for role in endpoint.roles:
            if role.group != group or not role.gpus:
                continue
            scaling = {"prefill": written.prefill, "decode": written.decode}.get(role.role)
            most = scaling.autoscaling.max_replicas if scaling and scaling.autoscaling else 0
            pods[role.gpus] += max(role.replicas, most)
            if most > role.replicas:
                path = ("endpoints", endpoint.name, role.role, "autoscaling", "max_replicas")
    return pods, path
