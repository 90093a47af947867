from collections import Counter

from hyperpod_dpd.catalog import instance_types
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule
from hyperpod_dpd.sizing.packing import nodes_needed, total_gpus


@rule(
    ("DPD215", "nodes-for-endpoint", ERROR, DISAGGREGATED),
    title="An endpoint has more pods than its instance groups have nodes",
    what="""That the nodes of each instance group hold all pods of the endpoint's roles that select it, by
    GPUs.""",
    why="""A pod of eight GPUs needs a whole node. One too many stays Pending: a missing decoder stops all
    traffic, a missing prefiller only makes every long prompt slower.""",
    fine="""Never: raise the group's count in the document first; pods wait for nodes that are on their way
    all the same.""",
    fix="raise the group's count or lower the role's replicas",
    sources="""AWS machine learning blog on DPD: at least two nodes, one for each role | Kubernetes: the GPUs
    of a pod are on one node""",
    covers=("R30",),
    tags=("placement", "capacity"),
    of="environment",
    before="endpoints: {llama-70b: {prefill: {replicas: 2}}}",
    after="endpoints: {llama-70b: {prefill: {replicas: 1}}}",
)
def check(endpoint: EndpointView) -> Matches:
    pods: dict[str, Counter[int]] = {}
    for role in endpoint.roles:
        selected = endpoint.group(role)
        if selected is not None and role.gpus:
            pods.setdefault(selected.name, Counter())[role.gpus] += role.replicas
    for name, gpus in pods.items():
        group = endpoint.cluster.group(name)
        known = instance_types.get(group.instance_type)
        if known is None or not known.gpus:
            continue
        role = next(r for r in reversed(endpoint.roles) if r.group_name == name)
        needed = nodes_needed(gpus, node_gpus=known.gpus)
        if needed is None:
            yield Match(
                (*role.path, "resources"),
                f"a pod asks for {max(gpus)} GPUs; {group.instance_type} has {known.gpus}",
                fix=f"ask for at most {known.gpus} GPUs in a pod",
            )
        elif needed > group.count:
            yield Match(
                (*role.path, "replicas"),
                f"{gpus.total()} pods with {total_gpus(gpus)} GPUs select group '{name}'; they need {needed} "
                f"nodes, it has {group.count}",
                fix=f"set the count of group '{name}' to {needed}, or lower the replicas",
            )
