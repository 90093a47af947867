from hyperpod_dpd.catalog import engine_defaults
from hyperpod_dpd.iec.quantities import QuantityError, to_bytes, to_millicores
from hyperpod_dpd.rules.facts import RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, WARNING, EndpointView, Match, Matches, rule
from hyperpod_dpd.view.memory import bytes_of_gib


@rule(
    ("DPD710", "room-on-the-node", WARNING, DISAGGREGATED),
    title="A role asks for nearly all, or more, of a node",
    what="""That a role's CPU and memory leave room on a node of its type for the system and for the pod's own
    sidecars: more than the node has is an error, less than the margin a warning.""",
    why="""A node offers its pods less than it has. A pod that fits on paper stays Pending, and each worker
    pod brings a proxy and a metrics collector that ask for resources too.""",
    fine="Where the nodes' allocatable amounts were looked at (the warning).",
    fix="lower the role's cpu or memory",
    sources="EC2 instance data, vCPU and memory per type | our own judgement of the margin",
    covers=("R148",),
    tags=("resources",),
    before="spec: {pdSpec: {prefillSpec: {resources: {requests: {cpu: '192'}}}}}",
    after="spec: {pdSpec: {prefillSpec: {resources: {requests: {cpu: '160'}}}}}",
)
def check(endpoint: EndpointView) -> Matches:
    kept = engine_defaults.memory().node_share_kept_free
    for role in endpoint.roles:
        instance = endpoint.instance_type(role)
        if instance is None:
            continue
        for name, has, unit in (
            ("cpu", instance.vcpus * 1000, 1000),
            ("memory", bytes_of_gib(instance.memory_gib), 2**30),
        ):
            asked = _asked(role, name)
            if asked is None or asked <= has * (1 - kept):
                continue
            most = int(has * (1 - kept)) // unit
            suffix = "Gi" if name == "memory" else ""
            yield Match(
                (*role.path, "resources"),
                f"{role.role} asks for {asked / unit:g}{suffix} {name}, "
                f"a node of {instance.name} has {has // unit}{suffix} before the system's part",
                ERROR if asked > has else None,
                f"set the role's {name} to {most}{suffix} or less",
            )


def _asked(role: RoleView, name: str) -> int | None:
    read = to_bytes if name == "memory" else to_millicores
    for kind in ("requests", "limits"):
        value = role.resources.get(kind, {}).get(name)
        if value is not None:
            try:
                return read(value)
            except QuantityError:
                return None
    return None
