"""What CloudFormation has in some Regions only, and a document may not ask for elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog import regions
from hyperpod_dpd.catalog.requirements import requirement
from hyperpod_dpd.config.closeness import closest
from hyperpod_dpd.config.fault import Fault
from hyperpod_dpd.config.mending import Mend
from hyperpod_dpd.document import Document, Path

if TYPE_CHECKING:
    from hyperpod_dpd.config.environment import Environment

Asked = tuple[Path, str, str, str]


def region_faults(environment: Environment, document: Document) -> list[Fault]:
    """Every resource type that the environment needs and its Region is not known to have: synthesis refuses it."""
    faults = []
    if regions.get(environment.region) is None and (meant := _meant_region(environment)):
        path: Path = ("region",)
        message = f"there is no Region '{environment.region}'"
        fix = f"did you mean '{meant}'?"
        return [Fault(document.file, document.where(path), path, message, fix, mend=Mend("set", path, meant))]
    for path, what, known, otherwise in _asked(environment):
        where = requirement(known)
        if environment.region not in where.value:
            date = where.source.date
            message = f"CloudFormation is not known to have {what} in {environment.region} ({date})"
            fix = f"{otherwise}use one of {', '.join(where.value)}"
            faults.append(Fault(document.file, document.where(path), path, message, fix))
    return faults


def _meant_region(environment: Environment) -> str | None:
    """The known Region that a misspelt one is nearest to, or that all its zones are in."""
    network = environment.network
    zones = [*network.control_plane_zones, *(zone.id for zone in network.accelerator_zones)]
    parsed = [regions.parse_zone_id(zone) for zone in zones]
    places = {zone.region.name for zone in parsed if zone and zone.region}
    if len(places) == 1:
        return places.pop()
    return closest(environment.region, [region.name for region in regions.all()])


def _asked(environment: Environment) -> Iterator[Asked]:
    """Where the document asks for it, what it is, the Regions that have it, and another way, if there is one."""
    yield ("region",), "HyperPod clusters", "hyperpod_regions", ""
    if environment.scheduling is not None:
        yield (
            ("scheduling",),
            "scheduler policies",
            "scheduler_policy_regions",
            "make it with the SageMaker API once the add-on runs, or ",
        )
    if environment.operations.budget is not None:
        yield (
            ("operations", "budget"),
            "budgets",
            "budget_regions",
            "make the budget from another Region, since it is the whole account's, or ",
        )
