from hyperpod_dpd.catalog import regions
from hyperpod_dpd.rules.rule import ENVIRONMENT, ERROR, WARNING, EnvironmentView, Match, Matches, rule


@rule(
    ("DPD225", "local-zone", ERROR, ENVIRONMENT),
    title="A Local Zone where a zone of the Region is needed",
    what="""That control-plane zones are no Local or Wavelength Zones (an error), and that accelerators and a
    file system are not placed in one (a warning: which services and types are there is not confirmed).""",
    why="""EKS cannot put its network interfaces into such a zone and refuses the cluster. FSx for Lustre is
    missing in many of them.""",
    fine="Where the accelerators were bought in that Local Zone.",
    fix="use availability zones of the Region itself",
    sources="""EKS user guide, Local Zones: not for a cluster's own subnets | awsome-distributed-ai pull
    request 1227: Local Zones without FSx""",
    covers=("A-21",),
    tags=("network",),
    waivable=True,
    before="network: {control_plane_zones: [usw2-az1, usw2-lax1-az1]}",
    after="network: {control_plane_zones: [usw2-az1, usw2-az2]}",
)
def check(environment: EnvironmentView) -> Matches:
    network = environment.document.network
    for index, text in enumerate(network.control_plane_zones):
        if kind := _kind(text):
            yield Match(
                ("network", "control_plane_zones", index),
                f"'{text}' is a {kind}; EKS takes subnets in availability zones only",
            )
    system = environment.document.storage.file_system
    for index, entry in enumerate(network.accelerator_zones):
        if kind := _kind(entry.id):
            file_system = " and the file system" if system and system.zone in (None, entry.id) else ""
            yield Match(
                ("network", "accelerator_zones", index),
                f"'{entry.id}' is a {kind}: that the GPU nodes{file_system} can be had there is not confirmed",
                WARNING,
            )


def _kind(text: str) -> str:
    zone = regions.parse_zone_id(text)
    kinds = {"local": "Local Zone", "wavelength": "Wavelength Zone"}
    return kinds.get(zone.kind, "") if zone is not None else ""
