"""What the platform demands of names, counts and networks; the names themselves are made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from hyperpod_dpd.catalog.data_files import Fact, Source, document, fact, record

_NAME = "requirements"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePrefix:
    """A prefix that the name of something must have, with the reason."""

    subject: str
    prefix: str
    why: str
    source: Source


Feature = Literal["always", "file-system", "prometheus", "managed-grafana", "external-secrets"]
"""What of an environment calls an AWS service from inside its VPC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointService:
    """An AWS service that a closed network reaches through an interface endpoint ("ecr.api")."""

    service: str
    needed_for: str
    source: Source
    when: Feature = "always"
    confirmed: bool = True
    note: str = ""


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


@cache
def services_without_endpoint() -> tuple[EndpointService, ...]:
    """Services that pods call and for which no source names an interface endpoint: a closed network lacks them."""
    return tuple(record(EndpointService, _NAME, entry) for entry in document(_NAME)["without_endpoint"])
