"""Where a type can be had, as far as the linters' lists tell, and where those lists disagree."""

from __future__ import annotations

from functools import cache

from hyperpod_dpd.catalog.data_files import Source, document, source
from hyperpod_dpd.catalog.instance_types import linter_refuses_wrongly

_NAME = "instance_type_regions"
_PREFIX = "ml."


def absent(name: str, region: str) -> bool:
    """True where no list has the type ("ml.p5.48xlarge") in a Region that they know; synthesis refuses it there."""
    return _listed(name, region, "absent") and not linter_refuses_wrongly(name, region)


def cdk_lags(name: str, region: str) -> bool:
    """True where CDK's own validation refuses a type that the newer list of cfn-lint has in the Region."""
    return _listed(name, region, "cdk_lags")


def regions_with(name: str) -> tuple[str, ...]:
    """Regions that have a list and in which a list has the type."""
    return tuple(region for region in document(_NAME)["regions"] if not absent(name, region))


def lists_source() -> Source:
    """Where the lists were read."""
    return source(_NAME, document(_NAME)["source"])


def _listed(name: str, region: str, column: str) -> bool:
    size = name.removeprefix(_PREFIX)
    return not {size, size.partition(".")[0]}.isdisjoint(_words(region, column))


@cache
def _words(region: str, column: str) -> frozenset[str]:
    entry = document(_NAME)["regions"].get(region)
    return frozenset(entry[column].split()) if entry else frozenset()
