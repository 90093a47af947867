import re
from collections.abc import Iterator

from hyperpod_dpd.blueprint import names
from hyperpod_dpd.catalog import regions
from hyperpod_dpd.rules.facts import InstanceGroupPlan, RoleView
from hyperpod_dpd.rules.rule import DISAGGREGATED, ERROR, EndpointView, Match, Matches, Path, rule

_SHAPE = re.compile(r"[a-z]+(-[a-z]+)+-\d(-[a-z0-9]+-\d+)?[a-z]")


@rule(
    ("DPD204", "zone-name", ERROR, DISAGGREGATED),
    title="The zone named in the placement is not one of the nodes' zones",
    what="""That every zone which the placement or a role's node selector names is written as the field wants
    it (a name there, an id in the label for ids), belongs to the cluster's Region, and is the zone of the
    role's instance group where that is known.""",
    why="""No node carries the label of a zone that is not there, so the pods stay Pending. Names such as
    us-west-2b mean another place in every account; ids such as usw2-az2 mean the same everywhere but are not
    what the field takes.""",
    fine="Never.",
    fix="""name the zone of the roles' instance groups by its name in this account, or leave the name out:
    sameAZ is enough""",
    sources="""InferenceEndpointConfig CRD, operator 3.2, pdSpec.topologySpec | EC2 user guide, Regions and
    zones: names differ by account, ids do not""",
    covers=("R28",),
    tags=("placement",),
    before="spec: {pdSpec: {topologySpec: {availabilityZone: usw2-az2}}}",
    after="spec: {pdSpec: {topologySpec: {availabilityZone: us-west-2b}}}",
)
def check(endpoint: EndpointView) -> Matches:
    misspelled = [Match(path, message) for path, message in _misspelled(endpoint)]
    yield from misspelled
    named = list(_names(endpoint))
    if not named or (misspelled and endpoint.context.region is None):
        return
    region = endpoint.region
    for role, path, zone in named:
        if not re.fullmatch(rf"{re.escape(region)}(-[a-z0-9]+-\d+)?[a-z]", zone):
            yield Match(path, f"'{zone}' is not a zone of {region}, where the cluster is")
            continue
        group = endpoint.group(role) if role is not None and endpoint.context.cluster is not None else None
        stands = _zone_name(endpoint, group) if group is not None else None
        if group is not None and stands is not None and stands != zone:
            yield Match(
                path, f"'{zone}' is named, but group '{group.name}' stands in {stands} ({group.zone_id})"
            )


def _misspelled(endpoint: EndpointView) -> Iterator[tuple[Path, str]]:
    for _, path, zone in _written(endpoint):
        if regions.parse_zone_id(zone) is not None:
            yield path, f"'{zone}' is a zone id; a zone name such as us-west-2b is needed here"
        elif not _SHAPE.fullmatch(zone) and not zone.startswith(("$", "<", "{{")):
            yield path, f"'{zone}' is not a zone name such as us-west-2b"
    for role in endpoint.roles:
        selected = role.node_selector.get(names.ZONE_ID_LABEL)
        if selected is None:
            continue
        place: Path = (*role.path, "nodeSelector", names.ZONE_ID_LABEL)
        group = endpoint.group(role) if endpoint.context.cluster is not None else None
        if regions.parse_zone_id(str(selected)) is None:
            yield place, f"'{selected}' is not a zone id such as usw2-az2"
        elif group is not None and group.zone_id != selected:
            yield place, f"'{selected}' is selected, but group '{group.name}' stands in {group.zone_id}"


def _written(endpoint: EndpointView) -> Iterator[tuple[RoleView | None, Path, str]]:
    zone = endpoint.get("pdSpec", "topologySpec", "availabilityZone")
    if isinstance(zone, str) and zone:
        yield endpoint.decode, ("spec", "pdSpec", "topologySpec", "availabilityZone"), zone
    for role in endpoint.roles:
        selected = role.node_selector.get(names.ZONE_LABEL)
        if selected is not None:
            yield role, (*role.path, "nodeSelector", names.ZONE_LABEL), str(selected)


def _names(endpoint: EndpointView) -> Iterator[tuple[RoleView | None, Path, str]]:
    """Zones that are written as names and may be compared with the Region's and the groups'."""
    return (entry for entry in _written(endpoint) if _SHAPE.fullmatch(entry[2]))


def _zone_name(endpoint: EndpointView, group: InstanceGroupPlan) -> str | None:
    network = endpoint.context.network
    subnets = network.subnets if network is not None else ()
    return next((s.zone_name for s in subnets if s.key == group.subnet), None)
