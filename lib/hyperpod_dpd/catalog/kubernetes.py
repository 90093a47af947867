"""Kubernetes versions that HyperPod takes, and the EKS add-ons: versions, order, identity, keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from hyperpod_dpd.catalog.data_files import Source, document, record
from hyperpod_dpd.catalog.versions import AddonVersion, KubernetesVersion

_NAME = "kubernetes"

INFERENCE = "amazon-sagemaker-hyperpod-inference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A range of Kubernetes versions, both ends included."""

    lowest: KubernetesVersion
    highest: KubernetesVersion
    source: Source
    note: str = ""

    def __contains__(self, version: KubernetesVersion) -> bool:
        return self.lowest <= version <= self.highest

    def __str__(self) -> str:
        return f"{self.lowest} to {self.highest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationKey:
    """One dotted key of an add-on's configuration values, and the add-on version that brought it.

    ``type`` is None where no source tells it; ``choices`` are the only values where there are few.
    """

    path: str
    source: Source
    type: Literal["text", "number", "truth value", "list"] | None = None
    choices: tuple[str, ...] = ()
    required: bool = False
    since: AddonVersion | None = None
    confirmed: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddonFault:
    """What is wrong with the versions of an add-on from `since` on and below `fixed`."""

    since: AddonVersion
    fixed: AddonVersion
    what: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Addon:
    """One EKS add-on. `default` None leaves the version to EKS; service accounts are "namespace/name".

    `unsourced` are those of `depends_on` that we wait for although no source asks for it.
    """

    name: str
    minimum: AddonVersion | None
    default: AddonVersion | None
    identity: Literal["none", "pod-identity", "service-account-role", "roles-in-configuration"]
    needs_nodes: bool
    depends_on: tuple[str, ...]
    source: Source
    unsourced: tuple[str, ...] = ()
    service_accounts: tuple[str, ...] = ()
    configuration: tuple[ConfigurationKey, ...] = ()
    note: str = ""
    unconfirmed: frozenset[str] = frozenset()
    faulty: tuple[AddonFault, ...] = ()

    def fault(self, version: AddonVersion) -> AddonFault | None:
        """What is known to be wrong with a version."""
        return next((each for each in self.faulty if each.since <= version < each.fixed), None)


@cache
def stated_window() -> Window:
    """The versions that the documentation names."""
    return _window("stated")


@cache
def safe_window() -> Window:
    """The versions for which every add-on that DPD needs is published."""
    return _window("safe")


@cache
def addons() -> tuple[Addon, ...]:
    """Every add-on in the order in which they have to be installed."""
    found = {entry["name"]: _addon(entry) for entry in document(_NAME)["addons"]}
    return tuple(_ordered(found))


@cache
def addon(name: str) -> Addon | None:
    """The add-on of that name, or None when it plays no part here."""
    return next((entry for entry in addons() if entry.name == name), None)


def install_order() -> tuple[str, ...]:
    """Names of the add-ons, each after everything it depends on."""
    return tuple(entry.name for entry in addons())


def _window(key: str) -> Window:
    entry = document(_NAME)["windows"][key]
    lowest, highest = (KubernetesVersion.parse(entry[end]) for end in ("lowest", "highest"))
    return record(Window, _NAME, entry, lowest=lowest, highest=highest)


def _addon(entry: Mapping[str, Any]) -> Addon:
    keys = tuple(
        record(
            ConfigurationKey,
            _NAME,
            {"source": entry["source"], **key},
            since=key.get("since") and AddonVersion.parse(key["since"]),
        )
        for key in entry.get("configuration", ())
    )
    versions = {end: entry[end] and AddonVersion.parse(entry[end]) for end in ("minimum", "default")}
    faults = tuple(
        record(AddonFault, _NAME, each, **{end: AddonVersion.parse(each[end]) for end in ("since", "fixed")})
        for each in entry.get("faulty", ())
    )
    return record(Addon, _NAME, entry, configuration=keys, faulty=faults, **versions)


def _ordered(found: Mapping[str, Addon]) -> Iterable[Addon]:
    """The add-ons in file order, but never before one they depend on (a test proves there is no circle)."""
    done: dict[str, Addon] = {}

    def place(name: str) -> None:
        if name not in done:
            for needed in found[name].depends_on:
                place(needed)
            done[name] = found[name]

    for name in found:
        place(name)
    return done.values()


def probe_defaults() -> Mapping[str, int]:
    """What a probe's field is when the manifest leaves it out, by its name; seconds and counts."""
    return {name: value for name, value in document(_NAME)["probe_defaults"].items() if name != "source"}
