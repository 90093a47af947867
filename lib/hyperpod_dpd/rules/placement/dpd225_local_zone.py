"""
What it checks
--------------
That control-plane zones are no Local or Wavelength Zones (an error), and that accelerators and a file system
are not placed in one (a warning: which services and types are there is not confirmed).

Why it matters
--------------
EKS cannot put its network interfaces into such a zone and refuses the cluster. FSx for Lustre is missing in
many of them.

When this is fine
-----------------
Where the accelerators were bought in that Local Zone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import regions
from hyperpod_dpd.rules.rule import AppliesTo, Example, Hit, Rule, Severity

if TYPE_CHECKING:
    from hyperpod_dpd.view.environment import EnvironmentView

RULE = Rule(
    id="DPD225",
    name="local-zone",
    severity=Severity.ERROR,
    title="A Local Zone where a zone of the Region is needed",
    fix="use availability zones of the Region itself",
    sources=(
        "EKS user guide, Local Zones: not for a cluster's own subnets",
        "awsome-distributed-ai pull request 1227: Local Zones without FSx",
    ),
    applies_to=AppliesTo.ENVIRONMENT,
    covers=("A-21",),
    waivable=True,
    tags=("network",),
    example=Example(
        of="environment",
        before="network: {control_plane_zones: [usw2-az1, usw2-lax1-az1]}",
        after="network: {control_plane_zones: [usw2-az1, usw2-az2]}",
    ),
)


def check(environment: EnvironmentView) -> Iterator[Hit]:
    network = environment.document.network
    for index, text in enumerate(network.control_plane_zones):
        if kind := _kind(text):
            yield Hit(
                ("network", "control_plane_zones", index),
                f"'{text}' is a {kind}; EKS takes subnets in availability zones only",
            )
    system = environment.document.storage.file_system
    for index, entry in enumerate(network.accelerator_zones):
        if kind := _kind(entry.id):
            file_system = " and the file system" if system and system.zone in (None, entry.id) else ""
            yield Hit(
                ("network", "accelerator_zones", index),
                f"'{entry.id}' is a {kind}: that the GPU nodes{file_system} can be had there is not confirmed",
                Severity.WARNING,
            )


def _kind(text: str) -> str:
    zone = regions.parse_zone_id(text)
    kinds = {"local": "Local Zone", "wavelength": "Wavelength Zone"}
    return kinds.get(zone.kind, "") if zone is not None else ""
