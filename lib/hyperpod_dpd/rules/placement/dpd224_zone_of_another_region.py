import re
from collections.abc import Iterator

from hyperpod_dpd.catalog import regions
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, Path, rule


@rule(
    ("DPD224", "zone-of-another-region", ERROR, ENVIRONMENT),
    title="A zone belongs to another Region",
    what="""That every zone id of the network belongs to the environment's Region, by its prefix, and every
    zone name given beside an id begins with the Region's name. In a Region that is not in the catalogue it is
    a warning, and so is a number that the tables do not list where they are not confirmed for the Region.""",
    why="""CloudFormation finds out while it makes the subnets. A zone *id* that exists in the Region but was
    meant for another one puts the GPUs where no capacity was bought.""",
    fine="For a zone that was opened after the date of the catalogue.",
    fix="use zone ids of the environment's Region",
    sources="EC2 user guide, Regions and zones: zone ids | Zone tables, as dated in the catalogue",
    covers=("HI-1.0", "I3-zone-region"),
    tags=("network",),
    waivable=True,
    before="network: {accelerator_zones: [use2-az2]}",
    after="network: {accelerator_zones: [usw2-az2]}",
)
def check(environment: EnvironmentView) -> Matches:
    region = environment.document.region
    by_text: dict[str, Path] = {}
    for path, text in _zone_ids(environment):
        by_text.setdefault(text, path)
    parsed = {text: regions.parse_zone_id(text) for text in by_text}
    elsewhere = {zone.region.name if zone and zone.region else region for zone in parsed.values()}
    if len(by_text) > 1 and len(elsewhere) == 1 and elsewhere != {region}:
        (other,) = elsewhere
        yield Match(
            next(iter(by_text.values())),
            f"the zones ({', '.join(by_text)}) are all in {other}, the environment is in {region}",
            fix=f"{_fix(region)}, or write region: {other}",
        )
        by_text = {}
    for text, path in by_text.items():
        zone = parsed[text]
        if (zone is None or zone.region is None) and (known := regions.get(region)):
            yield Match(
                path,
                f"'{text}' is no zone of {region}: they begin with {known.zone_prefix}-",
                fix=_fix(region),
            )
        elif zone is None or zone.region is None:
            yield Match(
                path,
                f"no Region of the catalogue has zones like '{text}'; that it is in {region} is not confirmed",
                WARNING,
            )
        elif zone.region.name != region:
            yield Match(
                path, f"'{text}' is in {zone.region.name}, the environment is in {region}", fix=_fix(region)
            )
        elif zone.kind == "availability" and not zone.is_known:
            listed = ", ".join(zone.region.zone_ids)
            yield Match(
                path,
                f"'{text}' is not among the zones known in {region} ({listed}); that it exists is not confirmed",
                WARNING if "zones" in zone.region.unconfirmed else None,
                fix=f"use one of {listed}",
            )
    for index, entry in enumerate(environment.document.network.accelerator_zones):
        if entry.name is not None and not re.fullmatch(
            rf"{re.escape(region)}(-[a-z0-9]+-\d+)?[a-z]", entry.name
        ):
            yield Match(
                ("network", "accelerator_zones", index, "name"),
                f"'{entry.name}' is not the name of a zone of {region}",
                fix=f"write it as in {region}b, or leave it out",
            )


def _fix(region: str) -> str:
    known = regions.get(region)
    return f"use zone ids that begin with {known.zone_prefix}-" if known else check.rule.fix


def _zone_ids(environment: EnvironmentView) -> Iterator[tuple[Path, str]]:
    network = environment.document.network
    for index, zone in enumerate(network.control_plane_zones):
        yield ("network", "control_plane_zones", index), zone
    for index, entry in enumerate(network.accelerator_zones):
        yield ("network", "accelerator_zones", index), entry.id
    existing = network.existing
    for key in ("control_plane_subnets", "accelerator_subnets", "nat_gateway_ids") if existing else ():
        for text in getattr(existing, key):
            yield ("network", "existing", key, text), text
