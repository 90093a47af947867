from hyperpod_dpd.blueprint import names
from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import CHANGE, WARNING, ChangeView, EndpointView, Match, Matches, Path, rule

_ZONE_PATH = ("spec", "pdSpec", "topologySpec", "availabilityZone")


@rule(
    ("DPD958", "placement-moved", WARNING, CHANGE),
    title="A role moves to another instance group, instance type or zone",
    what="That a role stays on its instance group, instance type and zone.",
    why="""Its pods are made anew on other nodes, which must be free, and load the weights there. Until both
    roles are in one zone again no KV page can be moved; every long prompt is computed by the decoder, which
    looks like a healthy endpoint.""",
    fine="When the move is planned for both roles together, with free nodes in the target.",
    fix="""bring up the target nodes first, move both roles in one change, and verify both routing paths
    afterwards""",
    sources="""SageMaker developer guide, DPD page, both roles in one Availability Zone | CloudFormation,
    AWS::SageMaker::Cluster: a group's subnet cannot be changed""",
    tags=("change", "placement"),
    before="spec: {pdSpec: {decodingSpec: {nodeSelector: {sagemaker.amazonaws.com/instance-group-name: other}}}}",
    after="spec: {}",
)
def check(change: ChangeView) -> Matches:
    for was, now in change.roles:
        old, new = _place(change.before, was), _place(change.after, now)
        for what, value in new.items():
            if old[what] and value and old[what] != value:
                yield Match(
                    _path(change.after, now, what), f"{now.role} moves from {what} {old[what]} to {value}"
                )
    before, after = (
        view.get("pdSpec", "topologySpec", "availabilityZone") for view in (change.before, change.after)
    )
    if before and after and before != after:
        yield Match(_ZONE_PATH, f"both roles move from zone {before} to {after}")


_LABELS = {"instance group": names.INSTANCE_GROUP_LABEL, "zone": names.ZONE_LABEL}


def _path(endpoint: EndpointView, role: RoleView, what: str) -> Path:
    if what in _LABELS:
        return (*role.path, "nodeSelector", _LABELS[what])
    return endpoint.instance_type_names(role)[0][1]


def _place(endpoint: EndpointView, role: RoleView) -> dict[str, str]:
    cluster = endpoint.context.cluster
    group = endpoint.group(role) if cluster is not None else None
    types = sorted({name for name, _ in endpoint.instance_type_names(role)})
    zone = role.node_selector.get(names.ZONE_LABEL) or (group.zone_id if group else None)
    return {
        "instance group": role.group_name or "",
        "instance type": ", ".join(types),
        "zone": str(zone or ""),
    }
