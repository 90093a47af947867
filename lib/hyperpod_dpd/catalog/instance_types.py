"""Instance types: what a node brings (GPUs, EFA, addresses) and whether DPD may run on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hyperpod_dpd.catalog.data_files import Source, document, record, source

_LISTED = "instance_types"
_UNLISTED = "instance_types_unlisted"
_PREFIX = "ml."


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceType:
    """One SageMaker instance type; a field is None where no source gives it."""

    name: str
    family: str
    accelerator: str | None
    gpus: int
    """NVIDIA GPUs per node; 0 for CPU and for Neuron types."""
    gpu_memory_mib: int | None
    """Memory of one GPU as EC2 prints it."""
    gpu_memory_gib: float | None
    """Memory of one GPU that the driver reports as usable."""
    vcpus: int
    memory_gib: float
    network_cards: int
    efa_interfaces: int | None
    efa_gbps: int | None
    efa_gbps_per_gpu: int | None
    max_enis: int | None
    ips_per_interface: int | None
    ips_per_node: int | None
    """Addresses one HyperPod EKS node takes: one whole interface, plus one per further network card."""
    max_pods: int | None
    nvme_disks: int | None
    nvme_disk_gb: int | None
    ebs_mbps: int | None
    architecture: str
    """amd64 or arm64."""
    supports_dpd: bool
    source: Source
    unconfirmed: frozenset[str] = frozenset()
    """Names of fields that are derived or could not be confirmed."""
    gpu_memory_source: Source | None = None
    """Where the usable memory was read; the other fields come from `source`."""

    @property
    def gpu_memory_confirmed(self) -> bool:
        return self.gpu_memory_gib is not None and "gpu_memory_gib" not in self.unconfirmed

    @property
    def efa_bytes_per_second_per_gpu(self) -> int | None:
        """Line rate of one GPU's share of EFA, in bytes per second."""
        return None if self.efa_gbps_per_gpu is None else self.efa_gbps_per_gpu * 10**9 // 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Refusal:
    source: Source
    reason: str
    types: tuple[str, ...] = ()
    families: tuple[str, ...] = ()


@cache
def get(name: str) -> InstanceType | None:
    """The type of that exact name ("ml.p5.48xlarge"), or None when no HyperPod cluster accepts it."""
    return _listed().get(name) or _unlisted(name)


@cache
def all() -> tuple[InstanceType, ...]:
    """Every known type, those with individual records first, then by family and size."""
    return (*_listed().values(), *(found for name in _unlisted_names() if (found := _unlisted(name))))


@cache
def dpd_types() -> tuple[str, ...]:
    """Names of the types that AWS supports for DPD, oldest generation first."""
    return tuple(entry.name for entry in _listed().values() if entry.supports_dpd)


def dpd_source() -> Source:
    """Where the list of supported types was read."""
    return source(_LISTED, document(_LISTED)["dpd_source"])


def why_not_for_dpd(name: str) -> str:
    """Why this type cannot serve prefill or decode, as a clause without the name; "" when it can."""
    if name in dpd_types():
        return ""
    if not name.startswith(_PREFIX) and f"{_PREFIX}{name}" in dpd_types():
        return f"SageMaker names of instance types begin with {_PREFIX}: write {_PREFIX}{name}"
    family = name.removeprefix(_PREFIX).partition(".")[0]
    for refusal in _refusals():
        if name in refusal.types or family in refusal.families:
            return refusal.reason
    known = get(name)
    if known is not None and not known.gpus:
        return str(document(_LISTED)["reason_without_gpu"]["reason"])
    return str(document(_LISTED)["reason_unlisted"]["reason"])


def linter_refuses_wrongly(name: str, region: str) -> bool:
    """True where cfn-lint's E3644 rejects a type that the service accepts; only there suppress it."""
    return any(
        entry["name"] == name and region not in entry["accepted_in"]
        for entry in document(_LISTED)["linter_false_refusals"]
    )


@cache
def _listed() -> Mapping[str, InstanceType]:
    entries = document(_LISTED)["types"]
    return {entry["name"]: record(InstanceType, _LISTED, entry) for entry in entries}


@cache
def _refusals() -> tuple[_Refusal, ...]:
    return tuple(record(_Refusal, _LISTED, entry) for entry in document(_LISTED)["refusals"])


def _unlisted_names() -> tuple[str, ...]:
    families = document(_UNLISTED)["families"]
    return tuple(
        f"{_PREFIX}{family}.{row.split()[0]}"
        for family, entry in families.items()
        for row in entry["sizes"].splitlines()
    )


def _unlisted(name: str) -> InstanceType | None:
    family, _, size = name.removeprefix(_PREFIX).partition(".")
    entry = document(_UNLISTED)["families"].get(family)
    if entry is None or not name.startswith(_PREFIX):
        return None
    for row in entry["sizes"].splitlines():
        cells = row.split()
        if cells[0] == size:
            return _from_row(family, entry, cells)
    return None


def _from_row(family: str, entry: Mapping[str, Any], cells: list[str]) -> InstanceType:
    row = dict(zip(document(_UNLISTED)["columns"], cells, strict=True))
    size = row.pop("size")
    memory_gib = float(row.pop("memory_gib"))
    numbers: dict[str, Any] = {column: int(cell) for column, cell in row.items()}
    numbers["gpu_memory_mib"] = numbers["gpu_memory_mib"] or None
    numbers["nvme_disk_gb"] = numbers["nvme_disk_gb"] or None
    return InstanceType(
        name=f"{_PREFIX}{family}.{size}",
        family=family,
        architecture=entry["architecture"],
        accelerator=entry.get("accelerator"),
        memory_gib=memory_gib,
        gpu_memory_gib=None,
        efa_gbps=None,
        efa_gbps_per_gpu=None,
        ips_per_node=numbers["ips_per_interface"] + numbers["network_cards"] - 1,
        max_pods=numbers["ips_per_interface"] - 1,
        supports_dpd=False,
        source=source(_UNLISTED, entry["source"]),
        unconfirmed=frozenset({"ips_per_node", "max_pods"}),
        **numbers,
    )
