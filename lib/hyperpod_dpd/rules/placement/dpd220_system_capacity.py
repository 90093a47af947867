from hyperpod_dpd.catalog import instance_types, requirements
from hyperpod_dpd.catalog.instance_types import InstanceType
from hyperpod_dpd.rules.facts import InstanceGroupPlan
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, Path, rule

_PATH: Path = ("cluster", "instance_groups")


@rule(
    ("DPD220", "system-capacity", ERROR, ENVIRONMENT),
    title="The system nodes are too small for the system pods",
    what="""That the nodes without GPUs have room for the pods the inference add-on brings, that they are not
    below the smallest recommended type, and that there is more than one.""",
    why="""A node takes as many pods as one of its network interfaces has addresses, less than CPU and memory
    suggest. When the pods do not fit, the add-on fails with a message about a pod limit.""",
    fine="Warnings about size and number are fine in a short-lived test environment.",
    fix="use larger or more system nodes",
    sources="""SageMaker developer guide, troubleshooting of the inference add-on's installation (pods it
    schedules, smallest recommended type) | SageMaker developer guide, HyperPod on EKS: one network interface
    of a node serves pods""",
    covers=("A-13", "HI-0.9"),
    tags=("placement", "addons"),
    before="cluster: {instance_groups: {system: {instance_type: ml.m5.large, count: 1}}}",
    after="cluster: {instance_groups: {system: {instance_type: ml.m5.4xlarge, count: 2}}}",
)
def check(environment: EnvironmentView) -> Matches:
    wanted = requirements.requirement("operator_architecture").value
    groups = []
    for group in environment.blueprint.cluster.groups:
        known = instance_types.get(group.instance_type)
        if (
            known is not None
            and not known.gpus
            and known.accelerator is None
            and known.architecture == wanted
        ):
            groups.append((group, known))
    if not any(group.count for group, _ in groups):
        return  # another rule says that there are none
    pods = int(requirements.requirement("system_pods").value)
    room = sum(group.count * (known.max_pods or pods) for group, known in groups)
    first = groups[0][0]
    if room < pods:
        yield Match(
            (*_PATH, first.name),
            f"the system nodes take {room} pods, the inference add-on alone brings {pods} (pods of a node derived "
            "from its network interfaces)",
        )
        return
    yield from _small(groups)
    nodes = sum(group.count for group, _ in groups)
    advised = requirements.requirement("system_nodes")
    if nodes < advised.value:
        yield Match(
            (*_PATH, first.name, "count"),
            f"{nodes} system node; {advised.value} are advised so that one may be replaced (number not confirmed)",
            WARNING,
            fix=f"set count to {advised.value}",
        )


def _small(groups: list[tuple[InstanceGroupPlan, InstanceType]]) -> Matches:
    advised = instance_types.get(str(requirements.requirement("system_instance_type").value))
    if advised is None or any(known.vcpus >= advised.vcpus for _, known in groups):
        return
    group = groups[0][0]
    yield Match(
        (*_PATH, group.name, "instance_type"),
        f"{group.instance_type} is smaller than {advised.name}, the smallest that AWS recommends for system pods",
        WARNING,
        fix=f"use {advised.name} or larger",
    )
