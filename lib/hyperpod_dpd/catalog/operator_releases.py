"""Operator releases: which EKS add-on carries which, what fields each brought, what each repaired."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from hyperpod_dpd.catalog import manifest_fields
from hyperpod_dpd.catalog.data_files import Fact, Source, document, fact, record, source
from hyperpod_dpd.catalog.versions import AddonVersion, OperatorRelease

__all__ = [
    "AddonVersion",
    "Fix",
    "ManifestField",
    "OperatorRelease",
    "Release",
    "addon_for",
    "addon_supports_dpd",
    "all",
    "cluster_arn_addon",
    "dpd_addon",
    "dpd_release",
    "field_for",
    "fields",
    "fields_newer_than",
    "find",
    "find_addon",
    "fixes",
    "fixes_missing_in",
    "floor",
    "gateway_addon",
    "kvaware_release",
    "newest",
    "recommended_release",
    "release_for",
]

_NAME = "operator_releases"
_UNKNOWN = OperatorRelease.parse("9999.0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One known pairing; `release` or `addon` is None where its number was never stated."""

    release: OperatorRelease | None
    addon: AddonVersion | None
    released: str | None
    helm_chart: str | None
    source: Source
    note: str = ""
    unconfirmed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestField:
    """A path below an InferenceEndpointConfig and the first release that keeps it, None if unknown."""

    path: str
    since: OperatorRelease | None
    source: Source
    note: str = ""
    unconfirmed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A fault of the operator and the release that repaired it."""

    key: str
    fixed_in: OperatorRelease
    problem: str
    touches_dpd: bool
    source: Source


@cache
def all() -> tuple[Release, ...]:
    """Every known release and add-on version, oldest first; add-ons of unknown release come last."""
    return tuple(
        record(
            Release,
            _NAME,
            entry,
            release=entry["release"] and OperatorRelease.parse(entry["release"]),
            addon=entry["addon"] and AddonVersion.parse(entry["addon"]),
        )
        for entry in document(_NAME)["releases"]
    )


def find(release: OperatorRelease) -> Release | None:
    """The record of that operator release, or None when it is unknown."""
    return next((entry for entry in all() if entry.release is not None and entry.release == release), None)


def find_addon(addon: AddonVersion) -> Release | None:
    """The record of that add-on version, or None when it is unknown."""
    return next((entry for entry in all() if entry.addon is not None and entry.addon == addon), None)


def addon_for(release: OperatorRelease) -> AddonVersion | None:
    """The add-on version that carries a release; None when the release or its add-on is unknown."""
    found = find(release)
    return found.addon if found else None


def release_for(addon: AddonVersion) -> OperatorRelease | None:
    """The operator release inside an add-on version; None when the add-on or its release is unknown."""
    found = find_addon(addon)
    return found.release if found else None


def newest() -> OperatorRelease:
    """The highest operator release known."""
    return max(entry.release for entry in all() if entry.release is not None)


@cache
def fields() -> tuple[ManifestField, ...]:
    """Manifest fields with the release that brought them, oldest first; of unknown release last."""
    found = [
        ManifestField(
            path=path,
            since=None if "since" in node.unconfirmed else OperatorRelease.parse(node.since),
            source=source(manifest_fields.NAME, key),
            note=node.note,
            unconfirmed=frozenset(node.unconfirmed),
        )
        for path, node, key in manifest_fields.releases()
    ]
    return tuple(sorted(found, key=lambda each: each.since or _UNKNOWN))


def field_for(path: str) -> ManifestField | None:
    """The entry that decides for a path such as "spec.modelCacheConfig.imageCache": the longest above it.

    None means no entry: every release that we know keeps the field, or nobody knows it.
    """
    leading = [entry for entry in fields() if path == entry.path or path.startswith(f"{entry.path}.")]
    return max(leading, key=lambda entry: len(entry.path), default=None)


def fields_newer_than(release: OperatorRelease) -> tuple[ManifestField, ...]:
    """The fields that this release would prune; those of unknown release are not among them."""
    return tuple(entry for entry in fields() if entry.since is not None and entry.since > release)


@cache
def fixes() -> tuple[Fix, ...]:
    """Known faults, by the release that repaired them."""
    return tuple(
        record(Fix, _NAME, entry, fixed_in=OperatorRelease.parse(entry["fixed_in"]))
        for entry in document(_NAME)["fixes"]
    )


def fixes_missing_in(release: OperatorRelease, *, only_dpd: bool = True) -> tuple[Fix, ...]:
    """The faults that this release still has."""
    return tuple(_missing(fixes(), release, only_dpd))


def floor(name: str) -> Fact:
    """A minimum by its name in the data file (dpd_release, kvaware_release, ...), with its source."""
    return fact(_NAME, document(_NAME)["floors"][name])


def dpd_release() -> OperatorRelease:
    """The first operator release that has DPD."""
    return OperatorRelease.parse(floor("dpd_release").value)


def dpd_addon() -> AddonVersion:
    """The first version of the inference add-on that has DPD."""
    return AddonVersion.parse(floor("dpd_addon").value)


def recommended_release() -> OperatorRelease:
    """The first release without the known faults that touch DPD."""
    return OperatorRelease.parse(floor("recommended_release").value)


def kvaware_release() -> OperatorRelease:
    """The first release whose router supports the kvaware strategy, by the documented matrix."""
    return OperatorRelease.parse(floor("kvaware_release").value)


def cluster_arn_addon() -> AddonVersion:
    """The first add-on version that requires hyperpodClusterArn."""
    return AddonVersion.parse(floor("cluster_arn_addon").value)


def gateway_addon() -> AddonVersion:
    """The first add-on version with the Inference Gateway, whose role must exist before the install."""
    return AddonVersion.parse(floor("gateway_addon").value)


def addon_supports_dpd(addon: AddonVersion) -> bool:
    """Whether an add-on version, known or not, is at or above the first one with DPD."""
    return addon >= dpd_addon()


def _missing(known: Iterable[Fix], release: OperatorRelease, only_dpd: bool) -> Iterable[Fix]:
    return (entry for entry in known if entry.fixed_in > release and (entry.touches_dpd or not only_dpd))
