"""What a document says of add-ons, held against the catalogue: names, types of values, versions that know a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hyperpod_dpd.catalog import kubernetes, operator_releases
from hyperpod_dpd.catalog.versions import AddonVersion, OperatorRelease
from hyperpod_dpd.config.fault import Complaint

if TYPE_CHECKING:
    from hyperpod_dpd.catalog.kubernetes import ConfigurationKey
    from hyperpod_dpd.config.environment import Environment
    from hyperpod_dpd.document import Path

_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "number": (int,),
    "truth value": (bool,),
    "list": (list,),
}


def addon_complaints(environment: Environment) -> Iterator[Complaint]:
    """Every value that the add-on would refuse, as far as its keys are confirmed."""
    known = kubernetes.install_order()
    for name, values in environment.addon_values.items():
        addon = kubernetes.addon(name)
        if addon is None:
            path: Path = ("addon_values", name)
            yield path, f"'{name}' is no add-on of this cluster", f"use one of {', '.join(known)}"
            continue
        for key in addon.configuration:
            yield from _value(("addon_values", name), values, key)
    yield from _gateway(environment)


def _value(base: Path, values: Mapping[str, Any], key: ConfigurationKey) -> Iterator[Complaint]:
    """At most one complaint about one key: its value, or something above it that can hold no key."""
    *above, last = key.path.split(".")
    found: Any = values
    path = base
    for part in above:
        if part not in found:
            return
        found, path = found[part], (*path, part)
        if not isinstance(found, Mapping):
            yield path, f"{found!r} is no mapping, and holds {key.path}", f"write '{last}:' below it"
            return
    if last not in found:
        return
    value, path = found[last], (*path, last)
    if key.required:
        yield (
            path,
            f"{key.path} is derived, and other parts of the environment follow from the same",
            _instead(last),
        )
    elif key.type is None or value is None:
        return
    elif not isinstance(value, _KINDS[key.type]) or (key.type != "truth value" and isinstance(value, bool)):
        choices = f': "{key.choices[0]}" or "{key.choices[1]}", quoted' if key.choices else ""
        yield path, f"{value!r} is not the {key.type} that {key.path} takes", f"write a {key.type}{choices}"
    elif key.choices and value not in key.choices:
        yield path, f"{value!r} is no value of {key.path}", f"use one of {', '.join(key.choices)}"


def _instead(key: str) -> str:
    said = {"executionRoleArn": "roles.operator", "tlsCertificateS3Bucket": "storage.existing_buckets.tls"}
    return f"remove the line, or say it with {said[key]}" if key in said else "remove the line"


def _gateway(environment: Environment) -> Iterator[Complaint]:
    """The Inference Gateway came with an add-on version, and with the add-on only."""
    if not environment.addons.inference.gateway:
        return
    path: Path = ("addons", "inference", "gateway")
    operator = environment.operator
    if operator.install != "addon":
        yield (
            path,
            f"the operator is installed by {operator.install}, and the gateway by the add-on",
            "remove it",
        )
        return
    addon = kubernetes.addon(kubernetes.INFERENCE)
    since = (
        next(k.since for k in addon.configuration if k.path == "inferenceGateway.enabled") if addon else None
    )
    version = (
        AddonVersion.parse(operator.addon_version)
        if operator.addon_version
        else operator_releases.addon_for(OperatorRelease.parse(operator.release))
    )
    if since is not None and (version is None or version < since):
        yield (
            path,
            f"the gateway needs add-on {since}, and this is {version or 'of no known version'}",
            f"set operator.addon_version to {since} or later, or remove it",
        )
