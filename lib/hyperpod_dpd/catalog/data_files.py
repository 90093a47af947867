"""Reads the data files beside this module, so that a fact is edited in YAML and never in code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import yaml

DATA = Path(__file__).parent / "data"

_Record = TypeVar("_Record")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact was read and when, so that a reader can judge and refresh it."""

    description: str
    date: str

    def __str__(self) -> str:
        return f"{self.description} ({self.date})"


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of the outside world; `confirmed` is false where the sources could not settle it."""

    value: Any
    source: Source
    unit: str = ""
    confirmed: bool = True
    note: str = ""


@cache
def document(name: str) -> Mapping[str, Any]:
    """The parsed data file `<name>.yaml`. Raises FileNotFoundError when there is no such subject."""
    content = yaml.load((DATA / f"{name}.yaml").read_bytes(), Loader=_Loader)
    return MappingProxyType(content)


@cache
def sources(name: str) -> Mapping[str, Source]:
    """The sources of one data file by their short key."""
    return {
        key: Source(entry["description"], entry["date"]) for key, entry in document(name)["sources"].items()
    }


def source(name: str, key: str) -> Source:
    """One source of a data file. Raises KeyError when the file names no such source."""
    return sources(name)[key]


def fact(name: str, entry: Mapping[str, Any]) -> Fact:
    """One entry of the form {value, source, unit?, confirmed?, note?} as a Fact."""
    value = entry["value"]
    return Fact(
        value=tuple(value) if isinstance(value, list) else value,
        source=source(name, entry["source"]),
        unit=entry.get("unit", ""),
        confirmed=entry.get("confirmed", True),
        note=entry.get("note", ""),
    )


def record(cls: type[_Record], name: str, entry: Mapping[str, Any], **given: Any) -> _Record:
    """One entry as the dataclass `cls`: lists become tuples, `unconfirmed` a set, `source` a Source.

    A key that ends with `_source` becomes a Source too.

    Raises TypeError for a key that is no field of `cls` or a field without a value.
    """
    values: dict[str, Any] = {}
    for key, value in entry.items():
        if key == "source" or key.endswith("_source"):
            values[key] = source(name, value)
        else:
            values[key] = tuple(value) if isinstance(value, list) else value
    if "unconfirmed" in values:
        values["unconfirmed"] = frozenset(values["unconfirmed"])
    return cls(**{**values, **given})


def subjects() -> Iterator[str]:
    """The names of all data files, sorted."""
    return (path.stem for path in sorted(DATA.glob("*.yaml")))


@cache
def catalog_date() -> str:
    """The newest date of any fact, as YYYY-MM-DD: how current the catalogue is."""
    return max(entry.date for name in subjects() for entry in sources(name).values())
