"""Service quotas that a deployment runs into, by their name; a code is only a hint."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hyperpod_dpd.catalog.data_files import Source, document, record

_NAME = "quotas"
_CLUSTER_USAGE = "for cluster usage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """One service quota; `default` is what one account had and None where nobody told."""

    name: str
    code: str | None
    service: str
    source: Source
    instance_type: str | None = None
    default: int | None = None
    unconfirmed: frozenset[str] = frozenset()


@cache
def all() -> tuple[Quota, ...]:
    """Every quota worth a look before a deployment."""
    return tuple(record(Quota, _NAME, entry) for entry in document(_NAME)["quotas"])


def cluster_usage(instance_type: str) -> Quota | None:
    """The quota for nodes of this type ("ml.p5.48xlarge") in HyperPod clusters; None if not catalogued."""
    wanted = f"{instance_type} {_CLUSTER_USAGE}"
    return next((entry for entry in all() if entry.name == wanted), None)


def known_wrong_codes() -> tuple[str, ...]:
    """Codes that public repositories print for a quota they do not belong to."""
    return tuple(entry["code"] for entry in document(_NAME)["known_wrong_codes"])
