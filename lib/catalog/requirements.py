"""What the platform demands of names, counts and networks; the names themselves are made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lib.catalog.data_files import Fact, Source, document, fact, record

_NAME = "requirements"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePrefix:
    """A prefix that the name of something must have, with the reason."""

    subject: str
    prefix: str
    why: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointService:
    """An AWS service that a closed network reaches through an interface endpoint ("ecr.api")."""

    service: str
    needed_for: str
    source: Source
    optional: bool = False
    confirmed: bool = True


@cache
def name_prefixes() -> tuple[NamePrefix, ...]:
    """Every required prefix."""
    return tuple(record(NamePrefix, _NAME, entry) for entry in document(_NAME)["name_prefixes"])


def name_prefix(subject: str) -> NamePrefix:
    """The prefix for execution_role, tls_bucket, lifecycle_bucket, ... Raises KeyError for others."""
    for entry in name_prefixes():
        if entry.subject == subject:
            return entry
    raise KeyError(subject)


def requirement(name: str) -> Fact:
    """A demand by its name in the data file (system_pods, reserved_subnet_addresses). Raises KeyError."""
    return fact(_NAME, document(_NAME)["values"][name])


def requirement_names() -> tuple[str, ...]:
    """Every name that `requirement` knows."""
    return tuple(document(_NAME)["values"])


@cache
def endpoint_services() -> tuple[EndpointService, ...]:
    """Interface endpoints that a closed network needs; S3's gateway endpoint comes on top."""
    return tuple(record(EndpointService, _NAME, entry) for entry in document(_NAME)["endpoints"])
