"""Every variable that LMCache reads, by release, so that what is not known to be harmless is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hyperpod_dpd.catalog.data_files import Source, document, source

_NAME = "lmcache_settings"
PREFIX = "LMCACHE_"
EMPTIES, STOPS, UNCONFIRMED = "empties", "stops", "unconfirmed"


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that a value does to the pair. ``condition`` and ``operand`` say which values, as in the file."""

    condition: str
    operand: Any
    does: str
    because: str
    up_to: float | None = None
    any_case: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """One variable: how LMCache reads its text, and what its values do. ``by`` names the rule that judges it."""

    name: str
    reads: str
    needed: bool = False
    by: str = ""
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class Release:
    """What one release of LMCache reads."""

    version: str
    source: Source
    settings: Mapping[str, Setting]


@cache
def releases() -> tuple[Release, ...]:
    """Every release that was read, oldest first."""
    common = document(_NAME)["source"]
    return tuple(
        Release(
            version=version,
            source=source(_NAME, entry.get("source", common)),
            settings={PREFIX + name: _setting(PREFIX + name, row) for name, row in entry["settings"].items()},
        )
        for version, entry in document(_NAME)["releases"].items()
    )


def latest() -> Release:
    """The newest release that was read: what other releases are compared with, and said so."""
    return releases()[-1]


def _setting(name: str, row: Mapping[str, Any]) -> Setting:
    cases = tuple(_case(dict(entry)) for entry in row.get("cases", ()))
    return Setting(name, row["reads"], row.get("needed", False), row.get("by", ""), cases)


def _case(entry: dict[str, Any]) -> Case:
    does, because = entry.pop("does"), entry.pop("because")
    up_to, any_case = entry.pop("up_to", None), entry.pop("any_case", False)
    ((condition, operand),) = entry.items()
    return Case(condition, operand, does, because, up_to, any_case)
