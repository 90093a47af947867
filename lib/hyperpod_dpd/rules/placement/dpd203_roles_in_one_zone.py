from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, rule

_ZONE_LABELS = (names.ZONE_LABEL, names.ZONE_ID_LABEL)


@rule(
    ("DPD203", "roles-in-one-zone", ERROR, DISAGGREGATED),
    title="Prefill and decode select nodes of different zones or subnets",
    what="""That what the two roles select leads to one zone: their zone selectors agree, and their instance
    groups stand in the same zone and subnet of the cluster.""",
    why="""EFA RDMA works within one availability zone only, and HyperPod nodes of one subnet only are sure to
    share it. Selectors that name two zones contradict sameAZ: the pods stay Pending, or KV pages travel over
    TCP.""",
    fine="Never; for redundancy over zones, run a second endpoint in the other zone.",
    fix="let both roles select instance groups of one zone and one subnet",
    sources="""SageMaker developer guide, DPD page, placement | SageMaker developer guide, HyperPod on EKS,
    EFA and subnets""",
    covers=("R27",),
    tags=("placement", "efa"),
    before="""spec:
      pdSpec:
        prefillSpec: {nodeSelector: {topology.kubernetes.io/zone: us-west-2a}}
        decodingSpec: {nodeSelector: {topology.kubernetes.io/zone: us-west-2b}}""",
    after="""spec:
      pdSpec:
        prefillSpec: {nodeSelector: {topology.kubernetes.io/zone: us-west-2b}}
        decodingSpec: {nodeSelector: {topology.kubernetes.io/zone: us-west-2b}}""",
)
def check(endpoint: EndpointView) -> Matches:
    prefill, decode = endpoint.prefill, endpoint.decode
    if prefill is None or decode is None:
        return
    differing = list(_selectors(endpoint, prefill, decode))
    yield from differing
    if not differing and not _settled(endpoint, prefill, decode):
        yield from _groups(endpoint, prefill, decode)


def _settled(endpoint: EndpointView, prefill: RoleView, decode: RoleView) -> bool:
    """Whether a lone manifest by itself leads both roles to one place: one group, or one zone named for both."""
    if endpoint.context.cluster is not None:
        return False
    zone = endpoint.get("pdSpec", "topologySpec", "availabilityZone")
    same_group = prefill.group_name is not None and prefill.group_name == decode.group_name
    same_zone = any(
        prefill.node_selector.get(label) is not None
        and prefill.node_selector.get(label) == decode.node_selector.get(label)
        for label in _ZONE_LABELS
    )
    return bool(zone) or same_group or same_zone


def _selectors(endpoint: EndpointView, prefill: RoleView, decode: RoleView) -> Matches:
    for label in _ZONE_LABELS:
        first, second = prefill.node_selector.get(label), decode.node_selector.get(label)
        if first is not None and second is not None and first != second:
            yield Match(
                (*decode.path, "nodeSelector", label),
                f"decode selects zone '{second}', prefill selects zone '{first}'",
            )
    zone = endpoint.get("pdSpec", "topologySpec", "availabilityZone")
    for role in (prefill, decode):
        selected = role.node_selector.get(names.ZONE_LABEL)
        if isinstance(zone, str) and selected is not None and selected != zone:
            yield Match(
                (*role.path, "nodeSelector", names.ZONE_LABEL),
                f"{role.role} selects zone '{selected}', topologySpec.availabilityZone is '{zone}'",
            )


def _groups(endpoint: EndpointView, prefill: RoleView, decode: RoleView) -> Matches:
    first, second = endpoint.group(prefill), endpoint.group(decode)
    if first is None or second is None:
        return
    path = (*decode.path, "nodeSelector", names.INSTANCE_GROUP_LABEL)
    if first.zone_id != second.zone_id:
        yield Match(
            path,
            f"prefill runs on group '{first.name}' in {first.zone_id}, "
            f"decode on group '{second.name}' in {second.zone_id}",
        )
    elif first.subnet != second.subnet:
        yield Match(
            path,
            f"prefill runs on group '{first.name}' in subnet {first.subnet}, "
            f"decode on group '{second.name}' in subnet {second.subnet}",
        )
