"""Where an environment keeps what outlives a cluster, as plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketPlan:
    """The buckets by purpose; ``retain`` is true in production."""

    models: str
    lifecycle: str
    tls: str
    access_logs: str
    retain: bool
    existing: frozenset[str] = frozenset()
    """Names of those that are somebody else's."""

    @property
    def ours(self) -> tuple[str, ...]:
        """Those that the environment makes."""
        everything = (self.models, self.lifecycle, self.tls, self.access_logs)
        return tuple(name for name in everything if name not in self.existing)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSystemPlan:
    """FSx for Lustre (PERSISTENT_2) beside the accelerators, linked to a prefix of the model bucket.

    ``lustre_version`` is create-only: another one means another file system.
    """

    subnet: str
    capacity_gib: int
    throughput_mbps_per_tib: int
    data_prefix: str
    lustre_version: str
    compression: Literal["none", "lz4"] = "none"
