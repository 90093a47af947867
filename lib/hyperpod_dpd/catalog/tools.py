"""Images and charts of the tools beside the worker: staging of weights, benchmarks, the operator's chart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hyperpod_dpd.catalog.data_files import Fact, Source, document, fact, record

_NAME = "tools"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolImage:
    """The image that a Job of ours runs unless the document names another."""

    key: str
    reference: str
    source: Source
    unconfirmed: frozenset[str] = frozenset()


@cache
def images() -> tuple[ToolImage, ...]:
    """Every tool image of the catalogue."""
    return tuple(record(ToolImage, _NAME, entry) for entry in document(_NAME)["images"])


def image(key: str) -> ToolImage:
    """The image of one tool. Raises KeyError for an unknown one."""
    for entry in images():
        if entry.key == key:
            return entry
    raise KeyError(key)


def value(name: str) -> Fact:
    """One fact by its name in the data file, with its source."""
    return fact(_NAME, document(_NAME)["values"][name])
