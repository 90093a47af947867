"""Regions: where the operator's images and managed services are, and which Region a zone id is in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from hyperpod_dpd.catalog.data_files import Source, document, record, source

_NAME = "regions"
_ZONE_ID = re.compile(r"([a-z]+\d)-(?:([a-z0-9]+)-)*([a-z]+\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """One AWS Region; `managed_prometheus` is None where no source tells."""

    name: str
    partition: str
    zone_prefix: str
    zones: tuple[str, ...]
    operator_images: bool
    """Whether the inference operator's image map has this Region."""
    managed_grafana: bool
    managed_prometheus: bool | None
    source: Source
    unconfirmed: frozenset[str] = frozenset()

    @property
    def zone_ids(self) -> tuple[str, ...]:
        """Known zone ids, such as usw2-az1; another id with the right prefix may still exist."""
        return tuple(f"{self.zone_prefix}-{zone}" for zone in self.zones)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneId:
    """A zone id taken apart; `region` is None when no known Region has its prefix."""

    text: str
    prefix: str
    kind: Literal["availability", "local", "wavelength"]
    region: Region | None
    is_known: bool


@cache
def all() -> tuple[Region, ...]:
    """Every Region of the commercial, China and GovCloud partitions, by name."""
    return tuple(
        record(Region, _NAME, {**entry, "name": name}) for name, entry in document(_NAME)["regions"].items()
    )


@cache
def get(name: str) -> Region | None:
    """The Region of that name, or None."""
    return next((region for region in all() if region.name == name), None)


@cache
def operator_regions() -> tuple[str, ...]:
    """Names of the Regions in the operator's image map."""
    return tuple(region.name for region in all() if region.operator_images)


@cache
def grafana_regions() -> tuple[str, ...]:
    """Names of the Regions with managed Grafana."""
    return tuple(region.name for region in all() if region.managed_grafana)


def operator_images_source() -> Source:
    """Where the operator's image map was read."""
    return source(_NAME, document(_NAME)["operator_images_source"])


def managed_services_source() -> Source:
    """Where the Regions of managed Grafana and Prometheus were read."""
    return source(_NAME, document(_NAME)["managed_services_source"])


def parse_zone_id(text: str) -> ZoneId | None:
    """A zone id such as usw2-az1 (or a Local Zone's usw2-lax1-az1) taken apart; None when the text is none.

    A zone *name* such as us-west-2a is no zone id: it means a different place in every account.
    """
    match = _ZONE_ID.fullmatch(text)
    if match is None:
        return None
    prefix, place, _ = match.groups()
    region = next((entry for entry in all() if entry.zone_prefix == prefix), None)
    kind: Literal["availability", "local", "wavelength"] = "availability"
    if place is not None:
        kind = "wavelength" if "-wl" in text else "local"
    elif not match[3].startswith("az"):
        return None
    known = region is not None and text in region.zone_ids
    return ZoneId(text=text, prefix=prefix, kind=kind, region=region, is_known=known)


def region_of_zone_id(zone_id: str) -> Region | None:
    """The Region of a zone id, by its prefix; None if the text is no zone id or the prefix unknown."""
    parsed = parse_zone_id(zone_id)
    return parsed.region if parsed else None
