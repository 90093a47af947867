"""What CloudFormation has in some Regions only, and a document may not ask for elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hyperpod_dpd.catalog.requirements import requirement
from hyperpod_dpd.config.fault import Fault
from hyperpod_dpd.document import Document, Path

if TYPE_CHECKING:
    from hyperpod_dpd.config.environment import Environment

Asked = tuple[Path, str, str, str]


def region_faults(environment: Environment, document: Document) -> list[Fault]:
    """Every resource type that the environment needs and its Region is not known to have: synthesis refuses it."""
    faults = []
    for path, what, known, otherwise in _asked(environment):
        regions = requirement(known)
        if environment.region not in regions.value:
            date = regions.source.date
            message = f"CloudFormation is not known to have {what} in {environment.region} ({date})"
            fix = f"{otherwise}use one of {', '.join(regions.value)}"
            faults.append(Fault(document.file, document.where(path), path, message, fix))
    return faults


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
