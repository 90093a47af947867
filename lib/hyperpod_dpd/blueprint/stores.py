"""Where an environment keeps what outlives a cluster, as plain frozen data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
    weights: tuple[str, ...] = ()
    """Further buckets that endpoints load weights from, read only."""
    key_arns: Mapping[str, str] = field(default_factory=dict)
    """Bucket of somebody else's to the key that its owner encrypts it with."""

    def keys_of(self, buckets: Iterable[str]) -> list[str]:
        """The owners' keys of these buckets, each once."""
        return list(dict.fromkeys(self.key_arns[name] for name in buckets if name in self.key_arns))

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
